/** The server's socket. It is opened first, so that a port in use is reported immediately. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { StartError } from '../lib/start-error.ts'
import type { SocketHandoff } from '../lib/stream-connection.ts'
import { handOffSocket } from './socket-handoff.ts'
import { createRepeatedStreams } from './repeated-streams.ts'
import { queueRequests } from './request-queue.ts'
import { cutStalledReaders } from './stalled-readers.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

export interface Listener {
  /** The address with the port that was opened. */
  url: string
  /** The address for programs on this machine, if the server listens on all addresses. */
  local: string
  /**
   * Until this is called, event streams wait, and all other clients get a response that the server
   * is starting.
   */
  serve(fetch: Fetch): void
  /** Accepts no new connections and ends the open ones. */
  cut(): void
  close(): Promise<void>
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is already in use. Stop the program that uses it, or choose another port with --port`,
    )
  }
  if (error.code === 'EACCES') return new StartError(`This account can’t open port ${port}; choose a port above 1023`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`${host} is not an address of this machine; choose another one with --host`)
  }
  return error
}

/**
 * The maximum number of connections that wait to be accepted; Linux limits it to
 * `net.core.somaxconn`. Clients that do not fit retry after 1, 3, 7 and 15 seconds: with Node's
 * default of 511, the last of 3,000 clients connected 8 seconds after a restart.
 */
const backlog = 16_384

const bind = (server: Server, host: string, port: number, inWords: typeof explain): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(inWords(error, host, port)))
    server.listen({ port, host, backlog }, () => resolve())
  })

/**
 * A whole log (docs/api §7.3) and a push may take longer than other bodies: their connections are
 * closed only when no bytes arrive.
 */
const isLong = (path: string): boolean =>
  /^(\/rpc\/v2\/step\/\d+\/logs\/upload|\/[^/?]+\/[^/?]+\/git-receive-pack)$/.test(path)

/** Closes connections with slow bodies. */
function limitBody(incoming: IncomingMessage, limit: number): void {
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return
  const { socket } = incoming
  const isPatient = isLong(incoming.url ?? '')
  let readBytes = socket.bytesRead
  const timer = setInterval(() => {
    if (incoming.complete) clearInterval(timer)
    else if (isPatient && socket.bytesRead > readBytes) readBytes = socket.bytesRead
    else incoming.destroy()
  }, limit)
  timer.unref()
  incoming.once('close', () => clearInterval(timer))
}

/**
 * A body's first chunks may have any size; with more chunks than this, the average size must reach
 * the minimum.
 */
const maxPieces = 5_000
const minBytes = 16

/**
 * Every chunk of a body is handled separately, so a megabyte of single bytes costs seconds. Such a
 * body is refused.
 */
function limitPieces(incoming: IncomingMessage): void {
  if (incoming.headers['transfer-encoding'] === undefined) return
  const push = incoming.push.bind(incoming)
  let pieces = 0
  let bytes = 0
  incoming.push = (piece: Buffer | null, encoding) => {
    if (incoming.destroyed) return false
    pieces += 1
    bytes += piece?.length ?? 0
    if (piece === null || pieces <= maxPieces || bytes >= pieces * minBytes) return push(piece, encoding)
    incoming.destroy()
    return false
  }
}

const statusOfFault: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Like Node's own response to an invalid request. */
function onFault(fault: Error & { code?: string }, socket: Socket): void {
  const answer = (socket as { _httpMessage?: { headersSent?: boolean } | null })['_httpMessage']
  if (socket.writable && !answer?.headersSent) {
    socket.write(`HTTP/1.1 ${statusOfFault[fault.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
  }
  socket.destroy(fault)
}

/**
 * Event streams wait during the start instead of being refused: after a restart all clients open
 * theirs at once.
 */
const isEventStream = ({ method, url }: IncomingMessage): boolean =>
  method === 'GET' && /^\/api\/stream\b/.test(url ?? '')

const starting: Fetch = () => new Response('Flightdeck is starting\n', { status: 503, headers: { 'Retry-After': '1' } })

/**
 * Three quarters of the process's limit for open files: a client that opens as many connections as
 * possible leaves enough for logs, git and steps. `undefined` if the system does not report the
 * limit.
 */
export function maxConnections(limits = ownLimits()): number | undefined {
  const files = /^Max open files +(\d+)/m.exec(limits)?.[1]
  return files === undefined ? undefined : Math.floor(Number(files) * 0.75)
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

interface ListenOptions {
  /** The maximum number of open connections; further ones are closed immediately. */
  connections?: number | undefined
  bodyMs?: number
  /**
   * Milliseconds after which a client that reads none of its pending data is disconnected; default
   * 60 s.
   */
  stallMs?: number
  /**
   * The minimum of its pending data that a client must read in that time, in bytes; default 64 KiB.
   */
  minTakenBytes?: number
  /** Explains why the socket cannot be opened, to the user who chose host and port. */
  inWords?: typeof explain
}

const localNames: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

export async function listen(
  host: string,
  port: number,
  { bodyMs = 60_000, stallMs, minTakenBytes, connections = maxConnections(), inWords = explain }: ListenOptions = {},
): Promise<Listener> {
  let fetch = starting
  let onServed = () => {}
  const served = new Promise<void>((resolve) => (onServed = resolve))
  const repeated = createRepeatedStreams()
  // A request without a host (HTTP/1.0) is accepted; an invalid one gets a 400.
  const answer = getRequestListener(
    (request, env) => {
      const bindings: typeof env & SocketHandoff = Object.assign(env, { canHandOff: true as const })
      const response = fetch(request, bindings)
      const passOn = (given: Response) => {
        if (bindings.repeat) repeated.add(bindings.incoming as IncomingMessage, given, bindings)
        return handOffSocket(given, bindings, bindings.outgoing as ServerResponse)
      }
      return response instanceof Promise ? response.then(passOn) : response
    },
    { hostname: 'localhost' },
  )
  async function waitAndAnswer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await served
    await yieldToEventLoop()
    if (!repeated.answer(incoming, outgoing)) void answer(incoming, outgoing)
  }
  const server = createServer((incoming, outgoing) => {
    requests.begin(incoming, outgoing)
    limitBody(incoming, bodyMs)
    limitPieces(incoming)
    if (fetch === starting && isEventStream(incoming)) void waitAndAnswer(incoming, outgoing)
    else if (!repeated.answer(incoming, outgoing)) void answer(incoming, outgoing)
  })
  const requests = queueRequests(server)
  cutStalledReaders(server, requests.isBusy, { stallMs, minTakenBytes })
  server.on('clientError', (fault, socket) => onFault(fault, socket as Socket))
  if (connections !== undefined) server.maxConnections = connections
  // Each request has its own time limit; responses may take as long as a stream.
  server.requestTimeout = 0
  server.headersTimeout = 20_000
  await bind(server, host, port, inWords)
  const { port: opened } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  const closed = new Promise<void>((resolve) => {
    server.once('close', () => resolve())
  })
  const cut = () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `http://${name}:${opened}`,
    local: `http://${localNames[name] ?? name}:${opened}`,
    serve(next) {
      fetch = next
      onServed()
    },
    cut,
    close() {
      cut()
      return closed
    },
  }
}
