/**
 * For tests: a fake Drone 2.25, for behavior in which our own server is better. Its responses were
 * recorded with a real one (`testing/recordings`), and so were its gaps: no event when a build is
 * created, canceled or approved, and none for a slow client; the log stream of a canceled step
 * stays open; `/register` after signing in.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Build, Line, Repo, User } from '@flightdeck/api'
import { recordedWorld } from './drone-world.ts'

export type Licence = Record<string, unknown>

export interface DroneStandOptions {
  /** Signs in with the forge, which redirects to the server's public name instead of ours. */
  signsInAtForge?: boolean
  /** `license` of `/varz`; a trial without limits by default. */
  licence?: Licence
}

/** The API token of the administrator. */
export const standToken = 'token-of-boss'
const session = '_session_=session-of-boss'

type Handler = (body: string) => unknown
/** A response other than 200 with JSON. */
class Reply {
  readonly status: number
  readonly text: string
  readonly headers: Record<string, string>
  constructor(status: number, text = '', headers: Record<string, string> = {}) {
    this.status = status
    this.text = text
    this.headers = headers
  }
}
const plainText = { 'content-type': 'text/plain; charset=utf-8' }
const refused = (status: number, message: string) =>
  new Reply(status, JSON.stringify({ message }), { 'content-type': 'application/json' })
const seeOther = (location: string, headers: Record<string, string> = {}) =>
  new Reply(303, '', { location, ...headers })

export class DroneStand {
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #options: DroneStandOptions
  readonly #world = recordedWorld()
  readonly #readers = new Set<ServerResponse>()
  /** While set, no client gets events, like one that was too slow. */
  dropsEvents = false
  /** Received requests, as `GET /path?query`. */
  readonly requests: string[] = []

  constructor(options: DroneStandOptions = {}) {
    this.#options = options
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  /** Connected readers of events. */
  get readers(): number {
    return this.#readers.size
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Drone's running build, with two stages, whose second step prints. */
  readonly running = { slug: 'acme/web', number: 35, stage: 1, step: 2 }
  /** A build that waits for approval. */
  readonly blocked = { slug: 'acme/gated', number: 1 }

  /** A user cancels the build elsewhere. Sends no event. */
  cancel(): Build {
    return this.#world.cancel()
  }
  /** A push or a cron job creates a build. Sends no event. */
  create(): Build {
    return this.#world.create()
  }
  /** The same; it fails. Its step passed in build 33. */
  breaks(): Build {
    return this.#world.breaks()
  }
  /** A user approves the first stage, which runs and succeeds. Sends no event. */
  approve(): Build {
    return this.#world.approve()
  }
  /** The running build continues and does not end yet. */
  advance(): Build {
    return this.tell(this.#world.advance())
  }
  /** The running build ends, with an event for clients that keep up. */
  finish(): Build {
    return this.tell(this.#world.finish())
  }
  /** Sends an event to clients that keep up. */
  tell(build: Build): Build {
    const event = JSON.stringify({ ...this.#world.repo(this.running.slug), build })
    if (!this.dropsEvents) for (const reader of this.#readers) reader.write(`data: ${event}\n\n`)
    return build
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const { pathname } = new URL(url, 'http://drone')
    this.requests.push(`${method} ${url}`)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.setHeader('cache-control', 'no-cache, no-store, must-revalidate, private, max-age=0')
    if (pathname.startsWith('/api/stream')) return this.#stream(pathname, request, response)
    const answer = this.#find(method, pathname, isKnown(request), body)
    if (answer instanceof Reply) response.writeHead(answer.status, answer.headers).end(answer.text)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(answer)}\n`)
  }

  #find(method: string, pathname: string, known: boolean, body: string): unknown {
    const ofAll = this.#ofAll[`${method} ${pathname}`] ?? this.#ofAll[pathname]
    if (ofAll) return ofAll(body)
    if (!pathname.startsWith('/api/')) return this.#page()
    if (pathname.startsWith('/api/badges/')) return new Reply(200, badge, { 'content-type': 'image/svg+xml' })
    if (!known) return refused(401, 'Unauthorized')
    const handler = this.#world.handlers[`${method} ${pathname}`]
    if (handler)
      return handler(body) ?? (method === 'GET' ? refused(404, 'sql: no rows in result set') : new Reply(204))
    // The log of a step without output is `null`; for most steps none was recorded.
    if (method === 'GET' && /\/logs\/\d+\/\d+$/.test(pathname)) return this.#world.answers.get(pathname) ?? null
    const recorded = method === 'GET' ? this.#world.answers.get(pathname) : undefined
    if (recorded !== undefined) return recorded
    if (method === 'GET' && emptyList.test(pathname)) return []
    return pathname.startsWith('/api/repos/')
      ? refused(404, 'Not Found')
      : new Reply(404, '404 page not found\n', plainText)
  }

  /** Paths that need no sign-in. */
  readonly #ofAll: Record<string, Handler> = {
    '/healthz': () => new Reply(200, 'OK', plainText),
    '/metrics': () => new Reply(401, 'Invalid or missing prometheus token\n', plainText),
    '/version': () => ({ version: '2.25.0' }),
    '/varz': () => ({
      scm: { url: 'https://git.example.com/', rate: { limit: 0, remaining: 0, reset: 0 } },
      license: { kind: 'trial', seats: 0, repos: 0, expire_at: '0001-01-01T00:00:00Z', ...this.#options.licence },
    }),
    'GET /login': () => seeOther(this.#options.signsInAtForge ? forge : '/login/form'),
    'POST /login': (body) => {
      const form = new URLSearchParams(body)
      if (!form.get('username') || !form.get('password')) return seeOther('/login/form')
      // Not encoded, as in Drone.
      if (form.get('password') !== 'correct horse') return seeOther('/login/error?message=Account is not active')
      const to = this.#world.me.email === '' ? '/register' : '/'
      return seeOther(to, { 'set-cookie': `${session}; Path=/; Max-Age=2147483647; HttpOnly; SameSite=lax` })
    },
    '/logout': () => this.#page({ 'set-cookie': '_session_=deleted; Path=/; Max-Age=0' }),
  }

  /** Drone's own page, at any other address. */
  #page(headers: Record<string, string> = {}): Reply {
    return new Reply(200, '<!doctype html><html lang="en"><head></head><body>Drone</body></html>', {
      'content-type': 'text/html; charset=UTF-8',
      ...headers,
    })
  }

  #stream(pathname: string, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).write(': ping\n\n')
    if (!isKnown(request)) return
    if (pathname === '/api/stream') {
      this.#readers.add(response)
      response.once('close', () => this.#readers.delete(response))
      return
    }
    const lines = this.#world.linesOf(pathname)
    if (!lines) return void response.end('event: error\ndata: eof\n\n')
    // Three line ends, as the encoder's own is one of them. After a cancel it stays as it is:
    // neither an end nor a ping.
    for (const line of lines) response.write(`data: ${JSON.stringify(line)}\n\n\n`)
  }
}

const forge =
  'https://git.example.com/login/oauth/authorize?client_id=1&redirect_uri=https%3A%2F%2Fdrone.example.com%2Flogin&state=x'

const badge = '<svg xmlns="http://www.w3.org/2000/svg" width="91" height="20"><path d="M0 0h91v20H0z"/></svg>'

const emptyList = /^\/api\/repos\/acme\/\w+\/(builds(\/(branches|deployments|pulls))?|secrets|cron)$/

const isKnown = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === `Bearer ${standToken}` ||
  (headers.authorization === undefined && (headers.cookie ?? '').split('; ').includes(session))

export interface DroneWorld {
  me: User
  /** Fixed responses to `GET`, by path without query. */
  answers: ReadonlyMap<string, unknown>
  /** Handlers by method and path; without a response body, the status is 204. */
  handlers: Record<string, Handler>
  repo(slug: string): Repo
  cancel(): Build
  create(): Build
  breaks(): Build
  approve(): Build
  advance(): Build
  finish(): Build
  /** The log stream of a running step. */
  linesOf(streamPath: string): Line[] | undefined
}
