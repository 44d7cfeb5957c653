import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { request as httpRequest } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGatewayApp } from '../gateway-app.ts'
import { listen, type Listener } from '../listener.ts'
import { makeSecretsBox } from '../secrets-box.ts'
import { createUpstream, type Upstream } from './upstream.ts'
import { createWatch, type Watch } from './watch.ts'

/** Stands in for Drone: what it is asked, and whatever a test lets it answer. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
let answer: Answer
const asked: IncomingMessage[] = []
const server = createServer((request, response) => {
  asked.push(request)
  void answer(request, response)
})
let origin = ''
let webRoot = ''
let listener: Listener
let upstream: Upstream
let watch: Watch
const failures: unknown[] = []

const publicUrl = () => listener.url
const at = (path: string) => listener.url + path
const last = (): IncomingMessage => asked.at(-1) ?? expect.fail('nothing was asked')
const plain: Answer = (_request, response) => void response.end('{}')

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  webRoot = await mkdtemp(join(tmpdir(), 'flightdeck-gateway-'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>our page</title>')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(webRoot, { recursive: true })
})

async function start(to = origin): Promise<void> {
  listener = await listen('127.0.0.1', 0)
  upstream = createUpstream(to)
  watch = createWatch(upstream, { first: 40, longest: 200, tick: 5 })
  const app = createGatewayApp({
    upstream,
    watch,
    box: makeSecretsBox(Buffer.alloc(32, 1)),
    publicUrl: listener.url,
    host: '127.0.0.1',
    allowHosts: [],
    allowOrigins: [],
    trustProxy: false,
    version: '1.2.3',
    webRoot,
    log: (message, error) => failures.push([message, error]),
  })
  listener.serve(app.fetch)
}
beforeEach(async () => {
  answer = plain
  asked.length = 0
  failures.length = 0
  await start()
})
afterEach(async () => {
  await listener.close()
  watch.stop()
  upstream.close()
  expect(failures).toEqual([])
})

const ask = (path: string, init: RequestInit = {}) => fetch(at(path), { redirect: 'manual', ...init })

describe('a request', () => {
  it('goes on as it came, with word of who asked', async () => {
    const bodies: string[] = []
    const long = 'x'.repeat(2 * 1024 * 1024)
    answer = async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      bodies.push(body)
      response.statusCode = 201
      response.end('{"id":1}')
    }
    const response = await ask('/api/repos/octocat/a%2Fb/builds?branch=1.10&x=%20', {
      method: 'POST',
      body: long,
      headers: { 'X-Forwarded-For': '203.0.113.7', Cookie: '_session_=s; _flightdeck_=ours', Origin: publicUrl() },
    })
    expect([response.status, await response.json()]).toEqual([201, { id: 1 }])
    expect(bodies).toEqual([long])
    const { method, url, headers } = last()
    expect([method, url]).toEqual(['POST', '/api/repos/octocat/a%2Fb/builds?branch=1.10&x=%20'])
    expect(headers).toMatchObject({
      host: new URL(origin).host,
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(publicUrl()).host,
      cookie: '_session_=s',
      origin,
    })
  })

  it('of a page elsewhere that would change something is refused here', async () => {
    const init = { method: 'POST', headers: { Origin: 'https://evil.example' } }
    expect((await ask('/api/repos/a/b', init)).status).toBe(403)
    expect(asked).toEqual([])
  })

  it.each([
    '/api/user',
    '/hook',
    '/link/a/b/tree/refs/heads/x',
    '/version',
    '/varz',
    '/metrics',
    '/login',
    '/rpc/v2/stage',
  ])('%s is the other server’s', async (path) => {
    await ask(path, { method: path.startsWith('/rpc') ? 'POST' : 'GET' })
    expect(last().url).toBe(path)
  })

  it.each(['/', '/login/form', '/login/error', '/octocat/hello', '/register'])('%s is our page', async (path) => {
    expect(await (await ask(path)).text()).toContain('our page')
    expect(asked).toEqual([])
  })

  it('of a runner comes by any name, and of any size, without being held', async () => {
    let held = 0
    answer = (request, response) => {
      request.on('data', (chunk: Buffer) => (held += chunk.length))
      request.on('end', () => response.end('done'))
    }
    const { hostname, port } = new URL(publicUrl())
    const path = '/rpc/v2/step/1/logs/upload'
    const call = httpRequest({ hostname, port, path, method: 'POST', headers: { Host: 'ci.internal' } })
    const chunk = Buffer.alloc(1 << 20)
    // What was sent arrives before the next is sent: nobody collects it on the way.
    for (let sent = 1; sent <= 24; sent++) {
      call.write(chunk)
      await expect.poll(() => held, { interval: 2 }).toBe(sent * chunk.length)
    }
    const response = once(call, 'response')
    call.end()
    expect((await response)[0]).toMatchObject({ statusCode: 200 })
  })
})

describe('an answer', () => {
  it('sets cookies and addresses that this browser can use', async () => {
    answer = (_request, response) => {
      response.writeHead(303, {
        'Set-Cookie': ['_session_=x; Path=/; Domain=drone.example.com; Max-Age=5; Secure; HttpOnly', 'b=1'],
        Location: `${origin}/octocat/hello?a=1`,
        Connection: 'X-Secret-Hop',
        'X-Secret-Hop': '1',
      })
      response.end()
    }
    const response = await ask('/api/x')
    expect(response.headers.getSetCookie()).toEqual(['_session_=x; Path=/; Max-Age=5; HttpOnly', 'b=1'])
    expect(response.headers.get('location')).toBe(`${publicUrl()}/octocat/hello?a=1`)
    expect(response.headers.has('x-secret-hop')).toBe(false)
  })

  it.each(['/register', 'https://github.com/login/oauth/authorize?client_id=1'])(
    'leads to %s as it says',
    async (to) => {
      answer = (_request, response) => void response.writeHead(303, { Location: to }).end()
      expect((await ask('/api/x')).headers.get('location')).toBe(to)
    },
  )

  it('that is JSON is packed, an event stream is not', async () => {
    const body = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id })))
    answer = (request, response) => {
      const type = request.url === '/api/stream' ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, ETag: '"1"' }).end(body)
    }
    const bytes = await new Promise<[string | undefined, Buffer]>((resolve) => {
      httpRequest(at('/api/user/repos'), { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve([response.headers['content-encoding'], Buffer.concat(chunks)]))
      }).end()
    })
    expect([bytes[0], gunzipSync(bytes[1]).toString()]).toEqual(['gzip', body])
    expect((await ask('/api/stream')).headers.has('content-encoding')).toBe(false)
  })

  it('comes piece by piece, and ends for both when the reader goes', async () => {
    let stream: ServerResponse | undefined
    let ended = false
    answer = (request, response) => {
      stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': ping\n\n')
      request.on('close', () => (ended = true))
    }
    const gone = new AbortController()
    const response = await ask('/api/stream', { signal: gone.signal })
    const reader = response.body?.getReader() ?? expect.fail('no body')
    const next = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await next()).toBe(': ping\n\n')
    stream?.write('data: 1\n\n')
    expect(await next()).toBe('data: 1\n\n')
    gone.abort()
    await expect.poll(() => ended).toBe(true)
  })

  it('that breaks off breaks off for the reader, too', async () => {
    let stream: ServerResponse | undefined
    answer = (_request, response) => {
      stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': ping\n\n')
    }
    const reader = (await ask('/api/stream')).body?.getReader() ?? expect.fail('no body')
    await reader.read()
    const more = reader.read()
    stream?.socket?.destroy()
    await expect(more).rejects.toThrow()
  })
})

describe('a server that cannot be reached', () => {
  it('is told in words, and is there again without a restart', async () => {
    await listener.close()
    watch.stop()
    upstream.close()
    const later = createServer((_request, response) => response.end('{"version":"2.25.0"}'))
    later.listen(0, '127.0.0.1')
    await once(later, 'listening')
    const { port } = later.address() as AddressInfo
    later.close()
    await once(later, 'close')
    await start(`http://127.0.0.1:${port}`)
    const words = `The Drone server http://127.0.0.1:${port} is down: nothing listens there`
    const response = await ask('/api/user')
    expect([response.status, await response.json()]).toEqual([502, { message: words }])
    const health = await ask('/healthz')
    expect(await health.json()).toEqual({
      flightdeck: { state: 'ok', version: '1.2.3' },
      server: { url: `http://127.0.0.1:${port}`, state: words, version: '' },
    })
    later.listen(port, '127.0.0.1')
    await once(later, 'listening')
    expect(await (await ask('/healthz')).json()).toMatchObject({ server: { state: 'ok', version: '2.25.0' } })
    later.closeAllConnections()
    later.close()
  })

  it.each([
    ['<html>a shop</html>', /is not a Drone server/],
    ['{"version":"1.10.1"}', /is Drone 1.10.1; Flightdeck needs Drone 2/],
  ])('%s is named', async (text, words) => {
    answer = (_request, response) => void response.end(text)
    expect(await (await ask('/healthz')).json()).toMatchObject({ server: { state: expect.stringMatching(words) } })
  })
})

describe('signing in', () => {
  it('happens at the server where that leads back here', async () => {
    const to = `https://github.com/login/oauth/authorize?redirect_uri=${encodeURIComponent(`${publicUrl()}/login`)}`
    answer = (_request, response) => void response.writeHead(303, { Location: to }).end()
    expect((await ask('/login')).headers.get('location')).toBe(to)
  })

  it('is by token where it would lead to another name', async () => {
    const to = 'https://github.com/login/oauth/authorize?redirect_uri=https%3A%2F%2Fdrone.example.com%2Flogin'
    answer = (_request, response) => void response.writeHead(303, { Location: to }).end()
    expect((await ask('/login')).headers.get('location')).toBe('/login/token')
  })

  const signIn = (token: string) =>
    ask('/login/token', { method: 'POST', body: new URLSearchParams({ token }), headers: { Origin: publicUrl() } })

  it('with a token checks it, and keeps it where no page can read it', async () => {
    answer = (request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401
      response.end('{}')
    }
    const refused = await signIn('wrong')
    expect(refused.headers.get('location')).toBe('/login/error?message=The%20server%20does%20not%20know%20this%20token')
    expect(refused.headers.getSetCookie()).toEqual([])
    const response = await signIn(' right ')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^_flightdeck_=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain('right')
    const [pair = ''] = cookie.split(';')
    await ask('/api/user', { headers: { Cookie: pair } })
    expect(last().headers).toMatchObject({ authorization: 'Bearer right' })
    expect(last().headers.cookie).toBeUndefined()
    // One that was made by somebody else is nobody's, and a token that is brought counts before it.
    await ask('/api/user', { headers: { Cookie: '_flightdeck_=forged' } })
    expect(last().headers.authorization).toBeUndefined()
    await ask('/api/user', { headers: { Cookie: pair, Authorization: 'Bearer mine' } })
    expect(last().headers.authorization).toBe('Bearer mine')
  })

  it('ends at both, and shows our page', async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { 'Set-Cookie': '_session_=; Max-Age=0' }).end('theirs')
    const response = await ask('/logout', { headers: { Cookie: '_session_=x' } })
    expect(await response.text()).toContain('our page')
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    expect(new Set(cookies)).toEqual(new Set(['_flightdeck_=', '_session_=']))
    expect(last().headers.cookie).toBe('_session_=x')
  })
})

/** Drone's silence: no event when a build is created or cancelled, and none of what others do until something runs. */
describe('what the server does not tell', () => {
  const repo = { id: 1, slug: 'octocat/hello', namespace: 'octocat', name: 'hello' }
  const path = '/api/repos/octocat/hello'
  const now = () => Math.floor(Date.now() / 1000)
  let build = { id: 7, number: 3, status: 'running', version: 2, updated: 0 }
  let older = { id: 6, number: 2, status: 'success', version: 9, updated: 1 }
  const askedBy = (target: string) => asked.filter(({ url }) => url === target).map(({ headers }) => headers.cookie)

  beforeEach(() => {
    build = { id: 7, number: 3, status: 'running', version: 2, updated: now() }
    older = { id: 6, number: 2, status: 'success', version: 9, updated: 1 }
    answer = (request, response) => {
      const { url, headers, method } = request
      if (url === '/api/stream') {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': ping\n\n')
        return
      }
      if (headers.cookie !== '_session_=ann') return void response.writeHead(401).end('{}')
      if (method === 'DELETE') build = { ...build, status: 'killed', version: build.version + 1 }
      const answers: Record<string, unknown> = {
        [path]: repo,
        [`${path}/builds/3`]: build,
        '/api/user/builds/recent': [build, older].map((one) => ({ ...repo, build: one })),
      }
      response.end(JSON.stringify(answers[url ?? ''] ?? null))
    }
  })

  async function open(cookie: string) {
    const gone = new AbortController()
    const response = await ask('/api/stream', { headers: { Cookie: cookie }, signal: gone.signal })
    const events: { slug: string; build: typeof build }[] = []
    const reader = response.body?.getReader() ?? expect.fail('no body')
    const reading = async () => {
      for (let text = ''; ;) {
        const { value, done } = await reader.read()
        if (done) return
        text += new TextDecoder().decode(value)
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) if (frame.startsWith('data: ')) events.push(JSON.parse(frame.slice(6)))
      }
    }
    reading().catch(() => {})
    return { events, leave: () => gone.abort() }
  }
  const cookie = '_session_=ann'
  const statuses = (events: readonly { build: typeof build }[]) =>
    events.map(({ build: { number, status } }) => [number, status])

  it('a build that was cancelled elsewhere is told to who looks, with its repository', async () => {
    const { events } = await open(cookie)
    await expect.poll(() => statuses(events)).toEqual([[3, 'running']])
    build = { ...build, status: 'killed', version: 3 }
    await expect
      .poll(() => statuses(events))
      .toEqual([
        [3, 'running'],
        [3, 'killed'],
      ])
    expect(events.at(-1)).toMatchObject({ slug: 'octocat/hello', build: { id: 7, version: 3 } })
    // What was done long ago is nothing new, and nothing is told twice.
    await expect.poll(() => askedBy('/api/user/builds/recent').length).toBeGreaterThan(5)
    expect(statuses(events)).toHaveLength(2)
  })

  it('a call that passes through is followed by a look', async () => {
    const { events } = await open(cookie)
    await ask(`${path}/builds/3`, { method: 'DELETE', headers: { Cookie: cookie } })
    await expect.poll(() => statuses(events).at(-1)).toEqual([3, 'killed'])
  })

  it('nobody gets what somebody else may read, and who has gone is not asked for', async () => {
    const ann = await open(cookie)
    const eve = await open('_session_=eve')
    await ask(`${path}/builds/3`, { headers: { Cookie: cookie } })
    await expect.poll(() => statuses(ann.events)).toContainEqual([3, 'running'])
    build = { ...build, status: 'failure', version: 4 }
    await expect.poll(() => statuses(ann.events)).toContainEqual([3, 'failure'])
    expect(eve.events).toEqual([])
    expect(new Set(askedBy(`${path}/builds/3`))).toEqual(new Set([cookie]))
    ann.leave()
    await expect
      .poll(async () => {
        const before = askedBy('/api/user/builds/recent').length
        await new Promise((resolve) => void setTimeout(resolve, 300))
        return askedBy('/api/user/builds/recent').length - before
      })
      .toBe(0)
  })
})
