/** The server that the gateway stands in front of, and what is said where it cannot be reached. */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { Refusal } from '../refusal.ts'

export interface UpstreamCall {
  method: string
  /** Path and query, as they came. */
  target: string
  headers: Record<string, string | string[]>
  body?: Readable | null
  /** Aborted when the client has gone. */
  signal?: AbortSignal
  /** Milliseconds until the head of the answer has to be there. */
  patience?: number
}

export interface Upstream {
  /** Without a slash at the end. */
  readonly origin: string
  /** Answers as soon as the head is there. Throws a `Refusal` in words where the server cannot be reached. */
  send(call: UpstreamCall): Promise<IncomingMessage>
  /** A question of our own, which anybody may be waiting for: it has seconds to be answered. */
  get(target: string, headers?: Record<string, string>): Promise<IncomingMessage>
  close(): void
}

/** Longer than any answer takes to begin: official runners are held for half a minute, a synchronisation may take minutes. */
const patienceMs = 5 * 60_000
const connectMs = 10_000
const shortPatienceMs = 10_000

const untrusted =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL)/

/** What is wrong between this server and the other one, for whoever can mend it. */
export function explainFailure(origin: string, error: NodeJS.ErrnoException): Refusal {
  const { code = '' } = error
  const server = `The Drone server ${origin}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Refusal(502, `${server} cannot be found: its name is unknown here`)
  if (code === 'ECONNREFUSED') return new Refusal(502, `${server} is down: nothing listens there`)
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return new Refusal(504, `${server} does not answer`)
  if (code === 'EPROTO') return new Refusal(502, `${server} does not speak https: try http://`)
  if (untrusted.test(code)) {
    return new Refusal(502, `${server} has a certificate that is not trusted here (${code}): see NODE_EXTRA_CA_CERTS`)
  }
  if (code.startsWith('HPE_')) return new Refusal(502, `${server} does not speak http: try https://`)
  return new Refusal(502, `${server} broke the connection off${code ? ` (${code})` : ''}`)
}

export function createUpstream(url: string, { shortPatience = shortPatienceMs } = {}): Upstream {
  const { protocol, origin, host } = new URL(url)
  const isTls = protocol === 'https:'
  const options = { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 64 }
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options)
  const open = isTls ? httpsRequest : httpRequest

  function start({ method, target, headers }: UpstreamCall): ClientRequest {
    return open(origin + target, { method, headers, agent, setHost: false })
  }

  async function send(call: UpstreamCall): Promise<IncomingMessage> {
    const { signal, body, patience = patienceMs } = call
    signal?.throwIfAborted()
    const request = start(call)
    const connecting = setTimeout(() => request.destroy(timeout()), connectMs)
    request.once('socket', (socket) => {
      const connected = () => clearTimeout(connecting)
      if (socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', connected)
      else connected()
    })
    const waiting = setTimeout(() => request.destroy(timeout()), patience)
    const gone = () => request.destroy()
    signal?.addEventListener('abort', gone, { once: true })
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve)
        request.once('error', reject)
        // After the head a fault is the body's, which tells it to its reader.
        request.on('error', () => {})
        if (body) body.on('error', () => request.destroy()).pipe(request)
        else request.end()
      })
    } catch (error) {
      throw explainFailure(origin, error as NodeJS.ErrnoException)
    } finally {
      clearTimeout(connecting)
      clearTimeout(waiting)
      // From here on the body is ended by whoever reads it.
      signal?.removeEventListener('abort', gone)
    }
  }

  return {
    origin,
    send,
    get: (target, headers) =>
      send({
        method: 'GET',
        target,
        headers: { accept: 'application/json', ...headers, host },
        patience: shortPatience,
      }),
    close: () => agent.destroy(),
  }
}

const timeout = (): Error => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })

/** The text of an answer of at most `most` bytes; `null` if it is longer. */
export async function textOf(answer: IncomingMessage, most: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
