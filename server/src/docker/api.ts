/**
 * Docker's HTTP API over its Unix socket, as far as one runner needs it. The docker command is not
 * used: every user on this machine can read a command line, but not an environment that is sent
 * through a socket.
 */
import { request, type IncomingMessage } from 'node:http'

/** What Docker refused, in its words. */
export class DockerRefusal extends Error {
  override readonly name = 'DockerRefusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

export interface Ask {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT'
  body?: Json
  signal?: AbortSignal | undefined
}

export interface Docker {
  /** Where it is reached, as a path. */
  readonly socket: string
  /** The whole answer; throws `DockerRefusal` where Docker says no. */
  fetchJson(path: string, options?: Ask): Promise<Json>
  /** The answer as it comes. */
  stream(path: string, options?: Ask): Promise<IncomingMessage>
  /** The answer as bytes. */
  bytes(path: string, options?: Ask): Promise<Buffer>
}

/** The timeout of calls without a signal: a hanging Docker must not block anything else. */
const timeoutMs = 60_000

/**
 * Docker answers most questions with a few kilobytes; a list on a full machine is some megabytes.
 */
const maxResponseBytes = 64 * 1024 * 1024

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxResponseBytes) throw new Error('Incomplete response from Docker')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Buffer): Json {
  if (bytes.byteLength === 0) return null
  try {
    return JSON.parse(bytes.toString('utf8')) as Json
  } catch {
    throw new NotDocker()
  }
}

/** Something answers there, but in another language. */
export class NotDocker extends Error {
  override readonly name = 'NotDocker'
  constructor() {
    super('The response is not from Docker')
  }
}

export const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined
export const textOf = (value: Json | undefined, name: string): string => {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}
export const numberOf = (value: Json | undefined, name: string): number => {
  const number = fieldOf(value, name)
  return typeof number === 'number' ? number : 0
}
export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** A client for the same Docker, with a deadline `end` for all requests. */
export const until = (docker: Docker, end: AbortSignal): Docker => {
  const bounded = (options: Ask = {}): Ask => ({ signal: end, ...options })
  return {
    socket: docker.socket,
    fetchJson: (path, options) => docker.fetchJson(path, bounded(options)),
    stream: (path, options) => docker.stream(path, bounded(options)),
    bytes: (path, options) => docker.bytes(path, bounded(options)),
  }
}

/** `prefix`: the API version as a path prefix. */
export function createDocker(socket: string, prefix = ''): Docker {
  const send = (
    path: string,
    { method = 'GET', body, signal = AbortSignal.timeout(timeoutMs) }: Ask,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const call = request(
        {
          socketPath: socket,
          path: `${prefix}${path}`,
          method,
          // Long responses get separate connections, and no socket stays open when the server ends.
          agent: false,
          headers: {
            Host: 'docker',
            ...(text !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(text),
            }),
          },
          signal,
        },
        resolve,
      )
      call.on('error', reject)
      call.end(text)
    })
  async function stream(path: string, options: Ask = {}): Promise<IncomingMessage> {
    const response = await send(path, options)
    const status = response.statusCode ?? 0
    if (status < 400) return response
    const bytes = await read(response)
    let message = ''
    try {
      message = textOf(parse(bytes), 'message')
    } catch {
      // Not in Docker's form; its status says enough.
    }
    throw new DockerRefusal(status, message || `Docker responded with status ${status}`)
  }
  const bytes = async (path: string, options: Ask = {}) => read(await stream(path, options))
  return { socket, stream, bytes, fetchJson: async (path, options = {}) => parse(await bytes(path, options)) }
}

/**
 * The oldest Docker that this was tried with speaks 1.41; what is asked for has not changed since.
 */
const preferredVersion = '1.41'

const isOlder = (a: string, b: string): boolean => {
  const [[aMajor = 0, aMinor = 0], [bMajor = 0, bMinor = 0]] = [a, b].map((text) => text.split('.').map(Number)) as [
    number[],
    number[],
  ]
  return aMajor !== bMajor ? aMajor < bMajor : aMinor < bMinor
}

export class OldDocker extends Error {
  override readonly name = 'OldDocker'
}

export interface KnownDocker extends Docker {
  /** The oldest version of the API that this Docker still speaks. */
  readonly minVersion: string
}

/** Finds a version of the API that both speak. */
export async function connectDocker(socket: string, signal?: AbortSignal): Promise<KnownDocker> {
  const answer = await createDocker(socket).fetchJson('/version', { signal })
  const [maxVersion, minVersion] = [textOf(answer, 'ApiVersion'), textOf(answer, 'MinAPIVersion') || '1.12']
  if (!/^\d+\.\d+$/.test(maxVersion) || !/^\d+\.\d+$/.test(minVersion)) throw new NotDocker()
  if (isOlder(maxVersion, preferredVersion)) {
    throw new OldDocker(
      `Docker supports API version ${maxVersion}; ${preferredVersion} (Docker 20.10) or newer is required`,
    )
  }
  return {
    ...createDocker(socket, `/v${isOlder(preferredVersion, minVersion) ? minVersion : preferredVersion}`),
    minVersion,
  }
}
