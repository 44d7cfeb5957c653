/** The server behind the gateway, and the errors if it is unreachable. */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { Refusal } from '../lib/refusal.ts'

export interface UpstreamCall {
  method: string
  /** Path and query, unchanged. */
  target: string
  headers: Record<string, string | string[]>
  body?: Readable | null
  /** Aborts when the client disconnects. */
  signal?: AbortSignal
  /** Milliseconds until the head of the answer has to be there. */
  timeoutMs?: number
}

export interface UpstreamTimeouts {
  /** Milliseconds for questions of our own. */
  check: number
  /** For what people read. */
  read: number
  /**
   * For what may take longer than anybody waits: official runners are held for half a minute, a
   * synchronisation may take minutes.
   */
  change: number
}

export interface Upstream {
  /** Without a slash at the end. */
  readonly origin: string
  /**
   * Answers as soon as the head is there. Throws a `Refusal` in words where the server cannot be
   * reached.
   */
  send(call: UpstreamCall): Promise<IncomingMessage>
  /**
   * A question of our own, which anybody may be waiting for: it has seconds to be answered, and a
   * minute to its last byte.
   */
  get(target: string, headers?: Record<string, string>): Promise<IncomingMessage>
  close(): void
}

const usual: UpstreamTimeouts = { check: 10_000, read: 60_000, change: 5 * 60_000 }
const connectMs = 10_000

const untrusted =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL)/

/** What is wrong between this server and the other one, for the operator. */
export function explainFailure(origin: string, error: NodeJS.ErrnoException): Refusal {
  const { code = '' } = error
  const server = `The Drone server ${origin}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Refusal(
      502,
      `The host name of ${server.charAt(0).toLowerCase()}${server.slice(1)} could not be resolved`,
    )
  if (code === 'ECONNREFUSED') return new Refusal(502, `${server} refused the connection`)
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return new Refusal(504, `${server} does not respond`)
  if (code === 'EPROTO') return new Refusal(502, `${server} does not accept https; try http://`)
  if (untrusted.test(code)) {
    return new Refusal(502, `${server} has a certificate that is not trusted here (${code}): see NODE_EXTRA_CA_CERTS`)
  }
  if (code.startsWith('HPE_')) return new Refusal(502, `${server} does not accept http; try https://`)
  return new Refusal(502, `${server} closed the connection unexpectedly${code ? ` (${code})` : ''}`)
}

/** A call that was answered, or that failed. */
interface SentCall {
  method: string
  /** Path and query. */
  target: string
  /** `null` for a call without an answer. */
  status: number | null
  /** Time to the headers of the answer, or to the failure. */
  seconds: number
}

interface UpstreamOptions {
  timeouts?: UpstreamTimeouts
  /** Called for each call, except those that the client aborted. */
  observe?: (call: SentCall) => void
}

export function createUpstream(url: string, { timeouts = usual, observe }: UpstreamOptions = {}): Upstream {
  const { protocol, origin, host } = new URL(url)
  const isTls = protocol === 'https:'
  const options = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 64 }
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options)
  const open = isTls ? httpsRequest : httpRequest

  const reads = /^(GET|HEAD)$/

  async function send(call: UpstreamCall): Promise<IncomingMessage> {
    const startedAt = performance.now()
    const report = (status: number | null) =>
      observe?.({ method: call.method, target: call.target, status, seconds: (performance.now() - startedAt) / 1000 })
    try {
      const response = await sendNow(call)
      report(response.statusCode ?? null)
      return response
    } catch (error) {
      if (!call.signal?.aborted) report(null)
      throw error
    }
  }

  async function sendNow(call: UpstreamCall): Promise<IncomingMessage> {
    const mayRepeat = reads.test(call.method) && !call.body
    try {
      return await attempt(call, agent)
    } catch (error) {
      const isStale = error instanceof Stale
      // A keep-alive connection that the server has already closed: it has not received the
      // request.
      if (isStale && mayRepeat) return await attempt(call, false).catch(refuse)
      return refuse(isStale ? error.cause : error)
    }
  }

  const refuse = (error: unknown): never => {
    const { cause } = error instanceof Stale ? error : { cause: error }
    throw explainFailure(origin, cause as NodeJS.ErrnoException)
  }

  async function attempt(call: UpstreamCall, by: typeof agent | false): Promise<IncomingMessage> {
    const { signal, body, method, target } = call
    signal?.throwIfAborted()
    const request: ClientRequest = open(origin + target, { method, headers: framed(call), agent: by, setHost: false })
    const connecting = setTimeout(() => request.destroy(timeout()), connectMs)
    request.once('socket', (socket) => {
      const connected = () => clearTimeout(connecting)
      if (socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', connected)
      else connected()
    })
    const waits = call.timeoutMs ?? (reads.test(method) ? timeouts.read : timeouts.change)
    const waiting = setTimeout(() => request.destroy(timeout()), waits)
    const onAbort = () => request.destroy()
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve)
        request.once('error', reject)
        // After the headers, an error belongs to the body, and its reader receives it.
        request.on('error', () => {})
        // For an unrequested change of protocols, this is all that Node reports.
        request.once('close', () => reject(brokenOff()))
        if (body) body.on('error', () => request.destroy()).pipe(request)
        else request.end()
      })
    } catch (error) {
      const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
      throw isReset && request.reusedSocket && !signal?.aborted ? new Stale(error) : error
    } finally {
      clearTimeout(connecting)
      clearTimeout(waiting)
      // From here on the reader of the body ends it.
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async function get(target: string, headers?: Record<string, string>): Promise<IncomingMessage> {
    const sentHeaders = { accept: 'application/json', ...headers, host }
    const response = await send({ method: 'GET', target, headers: sentHeaders, timeoutMs: timeouts.check })
    endBy(response, timeouts.read)
    return response
  }

  return {
    origin,
    send,
    get,
    close: () => agent.destroy(),
  }
}

/**
 * Checks that a body ends as announced. Otherwise the server would read the rest of a body as the
 * next request on that connection, which can be another person's, or the next request as the rest
 * of a body.
 */
function framed({ headers, body }: UpstreamCall): UpstreamCall['headers'] {
  const { 'content-length': length, 'transfer-encoding': _, ...others } = headers
  if (!body) return others
  // Node's client sets no framing for a body of OPTIONS or DELETE.
  return { ...others, ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }) }
}

class Stale extends Error {
  constructor(cause: unknown) {
    super('a kept-alive connection was closed', { cause })
  }
}

const brokenOff = (): Error => Object.assign(new Error('no response'), { code: 'ECONNRESET' })
const timeout = (): Error => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })

/** An endless body would occupy its reader and the connection forever. */
function endBy(response: IncomingMessage, ms: number): void {
  const timeoutTimer = setTimeout(() => response.destroy(timeout()), ms)
  response.once('close', () => clearTimeout(timeoutTimer))
}

/** Keeps the connection for the next request, unless the unread body does not end. */
export function drainResponse(response: IncomingMessage): void {
  endBy(response, usual.check)
  response.resume()
}

/** The text of a response of at most `maxBytes`; `null` if it is longer. */
export async function textOf(response: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
