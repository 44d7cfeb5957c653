/**
 * A plain file server for `web/dist` (fallback to `index.html`, names with dots too) with a fake
 * API: a test sets the handlers. For states that are hard to reach with the embedded server; all
 * other tests use the real one.
 */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built web part; `FLIGHTDECK_WEB` can name a different build. */
const dist = process.env['FLIGHTDECK_WEB'] ?? fileURLToPath(new URL('../../web/dist', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

export interface Call {
  method: string
  path: string
  query: string
  body: string
  headers: IncomingMessage['headers']
}
/** A handler's response: JSON with status 200, or `{status, json}`, or `{status, text}`. */
export type Answer = { status: number; json?: unknown; text?: string }
export type Handler = (call: Call) => Answer | Promise<Answer>

/** A path that cannot be decoded does not name a file. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** An empty page on the origin of a worker. */
export const blankPath = '/-/blank'

export const ok = (json: unknown): Answer => ({ status: 200, json })
export const fail = (status: number, message: string): Answer => ({ status, json: { message } })

async function listening(server: Server | undefined): Promise<void> {
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
}

function originOf(server: Server | undefined): string {
  const address = server?.address()
  if (!address || typeof address === 'string') throw new Error('not listening')
  return `http://127.0.0.1:${address.port}`
}

/**
 * A server whose port stays the same for all tests of a worker, so that the browser keeps the
 * compiled code. Serves one host at a time.
 */
export class Front {
  #host: Host | undefined
  readonly #server = createServer((request, response) => {
    // Same origin, no code: the page stays here between two tests.
    if (request.url === blankPath) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
    else if (this.#host) void this.#host.answer(request, response)
    else response.writeHead(503).end()
  })

  async listen(): Promise<this> {
    await listening(this.#server)
    return this
  }

  get origin(): string {
    return originOf(this.#server)
  }

  serve(host: Host | undefined): void {
    this.#host = host
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export class Host {
  readonly calls: Call[] = []
  readonly #handlers = new Map<string, Handler>()
  readonly #streams = new Map<string, Set<ServerResponse>>()
  readonly #server: Server | undefined
  readonly #front: Front | undefined
  /** While set, event streams respond with this status and open ones are closed. */
  #streamStatus = 200

  readonly #folder: string
  /** This server's clock, if not the machine's: pages use the `Date` header of its responses. */
  time: (() => Date) | undefined

  /**
   * `folder`: a build of the web part other than `web/dist`. `front`: the server of a worker, which
   * then serves this host; without one the host listens on its own port.
   */
  constructor(folder = dist, front?: Front) {
    this.#folder = folder
    this.#front = front
    this.#server = front ? undefined : createServer((request, response) => void this.answer(request, response))
  }

  async listen(): Promise<this> {
    if (this.#front) this.#front.serve(this)
    else await listening(this.#server)
    return this
  }

  get origin(): string {
    return this.#front?.origin ?? originOf(this.#server)
  }

  async close(): Promise<void> {
    if (!this.#server) return this.cutStreams()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  /**
   * `key` is for example `GET /api/user`, without the query. A later call replaces an earlier one.
   */
  on(key: string, answer: Handler | Answer): this {
    this.#handlers.set(key, typeof answer === 'function' ? answer : () => answer)
    return this
  }

  /** The current handler of a key. */
  answerTo(key: string): Handler {
    return this.#handlers.get(key) ?? (() => fail(404, 'Not Found'))
  }

  /** The calls so far, without event streams. */
  made(key: string): Call[] {
    return this.calls.filter((call) => `${call.method} ${call.path}` === key)
  }

  /** Sends one frame to every reader of the stream at `path`; waits for a reader. */
  async push(path: string, data: unknown): Promise<void> {
    await this.reader(path)
    for (const reader of this.#streams.get(path) ?? []) reader.write(`data: ${JSON.stringify(data)}\n\n`)
  }

  /** Sends Flightdeck's heartbeat. */
  async ping(path: string): Promise<void> {
    await this.reader(path)
    for (const reader of this.#streams.get(path) ?? []) reader.write(': ping\n\nevent: ping\ndata: ping\n\n')
  }

  async eof(path: string): Promise<void> {
    await this.reader(path)
    for (const reader of this.#streams.get(path) ?? []) reader.end('event: error\ndata: eof\n\n')
    this.#streams.delete(path)
  }

  /** Sends an error other than eof, and keeps the connection open. */
  async fail(path: string): Promise<void> {
    await this.reader(path)
    for (const reader of this.#streams.get(path) ?? []) reader.write('event: error\ndata: something went wrong\n\n')
  }

  /** Resolves when the stream at `path` has a reader. */
  async reader(path: string): Promise<void> {
    const until = Date.now() + 20_000
    while (!this.#streams.get(path)?.size) {
      if (Date.now() > until) throw new Error(`nobody reads ${path}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  readers(path: string): number {
    return this.#streams.get(path)?.size ?? 0
  }

  /** Ends all open event streams. New ones get `status`; 200 makes them work again. */
  cutStreams(status = 200): void {
    this.#streamStatus = status
    for (const readers of this.#streams.values()) for (const reader of readers) reader.destroy()
    this.#streams.clear()
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://host')
    if (this.time) response.setHeader('date', this.time().toUTCString())
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const method = request.method ?? 'GET'
    if (this.#allow(request, response) && method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    if (url.pathname.startsWith('/api/stream')) return this.#stream(url, request, response)
    const handler = this.#handlers.get(`${method} ${url.pathname}`)
    if (handler || url.pathname.startsWith('/api/')) {
      const call = {
        method,
        path: url.pathname,
        query: url.search,
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
      }
      this.calls.push(call)
      const answer = handler ? await handler(call) : fail(404, 'Not Found')
      const text = answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json))
      response.writeHead(answer.status, {
        'content-type': answer.text === undefined ? 'application/json' : 'text/plain',
      })
      response.end(text)
      return
    }
    this.#file(url.pathname, response)
  }

  /** Allows requests from other origins, like a proxy configured to do so. */
  #allow(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = request.headers
    if (!origin || origin === this.origin) return false
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-credentials', 'true')
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    response.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    return true
  }

  #stream(url: URL, request: IncomingMessage, response: ServerResponse): void {
    this.calls.push({ method: 'GET', path: url.pathname, query: url.search, body: '', headers: request.headers })
    if (this.#streamStatus !== 200) {
      response.writeHead(this.#streamStatus).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.write(': ping\n\n')
    const readers = this.#streams.get(url.pathname) ?? new Set()
    this.#streams.set(url.pathname, readers.add(response))
    response.on('close', () => readers.delete(response))
  }

  #file(path: string, response: ServerResponse): void {
    const folder = this.#folder
    const file = join(folder, normalize(decoded(path)))
    const found = file.startsWith(folder) && existsSync(file) && statSync(file).isFile()
    const served = found ? file : join(folder, 'index.html')
    response.writeHead(200, {
      'content-type': types[extname(served)] ?? 'application/octet-stream',
      // Like the server: files with a hash in their name can be cached.
      ...(found && path.startsWith('/assets/') && { 'cache-control': 'public, max-age=31536000, immutable' }),
    })
    createReadStream(served).pipe(response)
  }
}
