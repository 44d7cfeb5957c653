/**
 * The server of a fake forge: OAuth, git over HTTP, signed hooks, and false answers on demand. Each
 * forge adds its own API.
 */
import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StandWorld, type StandHook, type StandRepository } from './world.ts'

export interface StandRequest {
  method: string
  /** Decoded path segments below the API's address. */
  path: string[]
  query: URLSearchParams
  body: Record<string, unknown>
  /** The user of the request; undefined without a valid token. */
  login: string | undefined
}

export class StandReply {
  readonly status: number
  readonly data: unknown
  readonly headers: Record<string, string>
  constructor(status: number, data: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.data = data
    this.headers = headers
  }
}

/** Responses other than the correct one. */
export type Lie =
  | { kind: 'never' }
  | { kind: 'unfinished' }
  | { kind: 'huge' }
  | { kind: 'redirect'; to: string }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'text'; text: string }
  | { kind: 'refuse'; text: string }

export interface StandForm {
  /** Below the forge's address: `/api/v1`. */
  api: string
  authorize: string
  token: string
  answer(world: StandWorld, request: StandRequest, url: string): StandReply
  headersOf(event: string, secret: string, signature: string): Record<string, string>
  /**
   * The forge's errors for an invalid code or refresh token, and for a wrong client secret.
   */
  refusals: { code: StandReply; refresh: StandReply; client(grant: string): StandReply }
}

const clientId = 'flightdeck-client'
const clientSecret = 'a-client-secret-that-nobody-says'
/** Two hours, as with Gitea and GitLab. */
const expiresIn = 7_200

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

const sendJson = (response: ServerResponse, { status, data, headers }: StandReply): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(data === null ? '' : JSON.stringify(data))
}

export class StandForge {
  readonly world = new StandWorld()
  readonly clientId = clientId
  readonly clientSecret = clientSecret
  /** The forge requires sign-in. */
  requiresSignIn = false
  /** Method, path and credential of every request. */
  readonly requests: { method: string; path: string; authorization: string }[] = []
  /** Replaces the API's next responses. */
  lie: Lie | undefined
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #form: StandForm
  readonly #folder: string

  /** `folder` is the path prefix of the forge: `/git`. */
  constructor(form: StandForm, folder = '') {
    this.#form = form
    this.#folder = folder
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#folder}`
  }

  /** Closes the connections of clients that wait for a response. */
  letGo(): void {
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
    this.world.close()
  }

  /** The user follows the link and agrees. Returns the redirect address. */
  agree(address: string, login: string): string {
    const { searchParams } = new URL(address)
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    const challenge = searchParams.get('code_challenge') ?? ''
    back.searchParams.set('code', this.world.authorize(login, back.href, challenge))
    back.searchParams.set('state', searchParams.get('state') ?? '')
    return back.href
  }

  /** Sends a hook as the forge would. Returns the status of each receiver. */
  async deliver(repository: StandRepository, event: string, payload: unknown): Promise<number[]> {
    const sent = repository.hooks.filter(({ active }) => active).map((hook) => this.#send(hook, event, payload))
    return Promise.all(sent)
  }

  /** The headers of a delivery. */
  headersOf(event: string, secret: string, signature: string): Record<string, string> {
    const delivery = { 'x-gitea-delivery': randomUUID(), 'content-type': 'application/json' }
    return { ...delivery, ...this.#form.headersOf(event, secret, signature) }
  }

  async #send(hook: StandHook, event: string, payload: unknown): Promise<number> {
    const body = JSON.stringify(payload)
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex')
    const headers = this.headersOf(event, hook.secret, signature)
    const response = await fetch(hook.url, { method: 'POST', body, headers })
    await response.body?.cancel()
    return response.status
  }

  #tell(response: ServerResponse, lie: Lie): void {
    switch (lie.kind) {
      case 'never':
        return
      case 'unfinished':
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
        return
      case 'huge': {
        response.writeHead(200, { 'content-type': 'application/json' })
        const part = Buffer.alloc(1_000_000, 0x20)
        const more = (): void => {
          while (!response.destroyed && response.write(part));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
        return
      }
      case 'redirect':
        response.writeHead(302, { location: lie.to }).end()
        return
      case 'status':
        response.writeHead(lie.status, { 'content-type': 'application/json', ...lie.headers })
        response.end('{"message":"told so"}')
        return
      case 'text':
      case 'refuse':
        response.writeHead(lie.kind === 'text' ? 200 : 422, { 'content-type': 'application/json' }).end(lie.text)
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://forge')
    const authorization = request.headers.authorization ?? ''
    const method = request.method ?? 'GET'
    this.requests.push({ method, path: url.pathname + url.search, authorization })
    const path = url.pathname.startsWith(this.#folder) ? url.pathname.slice(this.#folder.length) : ''
    const isApi = path.startsWith(`${this.#form.api}/`)
    if (this.lie && (isApi || path === this.#form.token)) {
      this.#tell(response, this.lie)
      return
    }
    if (path === this.#form.token) {
      sendJson(response, this.#tokens(new URLSearchParams((await readAll(request)).toString())))
      return
    }
    if (!isApi) {
      await this.#git(path, url.search, request, response)
      return
    }
    const text = (await readAll(request)).toString()
    const parts = path
      .slice(this.#form.api.length + 1)
      .split('/')
      .map((part) => decodeURIComponent(part))
    if (!this.requiresSignIn && authorization === '' && /^(?:version|meta)$/.test(parts.join('/'))) {
      sendJson(response, new StandReply(200, { version: '1.21.4' }))
      return
    }
    const login = this.world.loginOf(authorization.replace(/^(?:Bearer|token) /i, ''))
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {}
    const standRequest: StandRequest = { method, path: parts, query: url.searchParams, body, login }
    const reply =
      login === undefined
        ? new StandReply(401, { message: 'Unauthorized' })
        : this.#form.answer(this.world, standRequest, this.url)
    sendJson(response, reply)
  }

  #tokens(form: URLSearchParams): StandReply {
    const grant = form.get('grant_type') ?? ''
    const { refusals } = this.#form
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) return refusals.client(grant)
    const isRefresh = grant === 'refresh_token'
    const tokens = isRefresh
      ? this.world.refresh(form.get('refresh_token') ?? '')
      : this.world.exchange(form.get('code') ?? '', form.get('redirect_uri') ?? '', form.get('code_verifier') ?? '')
    if (!tokens) return isRefresh ? refusals.refresh : refusals.code
    return new StandReply(200, {
      access_token: tokens.access,
      refresh_token: tokens.refresh,
      token_type: 'bearer',
      expires_in: expiresIn,
    })
  }

  /** Smart HTTP through git's own program, with the token as name or as password. */
  async #git(path: string, query: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, slug = '', gitPath = ''] =
      /^\/(.+?)(?:\.git)?(\/(?:info\/refs|git-(?:upload|receive)-pack))$/.exec(path) ?? []
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const [name = '', password = ''] = Buffer.from(basic, 'base64').toString().split(':')
    const login = this.world.loginOf(name) ?? this.world.loginOf(password)
    const repository = this.world.bySlug(decodeURIComponent(slug), login)
    const writes = `${gitPath}${query}`.includes('git-receive-pack')
    const level = repository && this.world.levelOf(repository, login)
    if (!repository || (writes && level === 'read')) {
      response.writeHead(login === undefined ? 401 : 404, { 'www-authenticate': 'Basic realm="forge"' }).end()
      return
    }
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: repository.path,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: login ?? '',
        PATH_INFO: gitPath,
        QUERY_STRING: query.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(backend.stdin)
    const parts: Buffer[] = []
    for await (const part of backend.stdout as AsyncIterable<Buffer>) parts.push(part)
    const output = Buffer.concat(parts)
    const end = output.indexOf('\r\n\r\n')
    const lines = output.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2) as [string, string]))
    const status = Number(headers['Status']?.slice(0, 3) ?? 200)
    delete headers['Status']
    response.writeHead(status, headers)
    response.end(output.subarray(end + 4))
  }
}

/** A page of a list. */
export const pageOf = <Item>(items: readonly Item[], query: URLSearchParams, sizeName: string): Item[] => {
  const size = Number(query.get(sizeName) ?? 30)
  const from = (Number(query.get('page') ?? 1) - 1) * size
  return items.slice(from, from + size)
}

export const notFound = new StandReply(404, { message: 'Not Found' })
export const forbidden = new StandReply(403, { message: 'Forbidden' })
