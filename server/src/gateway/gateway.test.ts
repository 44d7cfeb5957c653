import { once } from 'node:events'
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { requests, request, at, last, origin, publicUrl } = stand

describe('a request', () => {
  it('is forwarded unchanged, with the address of the client', async () => {
    const bodies: string[] = []
    const long = 'x'.repeat(2 * 1024 * 1024)
    stand.answer = async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      bodies.push(body)
      response.statusCode = 201
      response.end('{"id":1}')
    }
    const response = await request('/api/repos/octocat/a%2Fb/builds?branch=1.10&x=%20', {
      method: 'POST',
      body: long,
      headers: { 'X-Forwarded-For': '203.0.113.7', Cookie: '_session_=s; _flightdeck_=ours', Origin: publicUrl() },
    })
    expect([response.status, await response.json()]).toEqual([201, { id: 1 }])
    expect(bodies).toEqual([long])
    const { method, url, headers } = last()
    expect([method, url]).toEqual(['POST', '/api/repos/octocat/a%2Fb/builds?branch=1.10&x=%20'])
    expect(headers).toMatchObject({
      host: new URL(origin()).host,
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(publicUrl()).host,
      cookie: '_session_=s',
      origin: origin(),
    })
  })

  it('of a page elsewhere that would change something is refused here', async () => {
    const init = { method: 'POST', headers: { Origin: 'https://evil.example' } }
    expect((await request('/api/repos/a/b', init)).status).toBe(403)
    expect(requests).toEqual([])
  })

  it.each(['/api/user', '/hook', '/link/a/b/tree/refs/heads/x', '/version', '/varz', '/login', '/rpc/v2/stage'])(
    '%s is the other server’s',
    async (path) => {
      await request(path, { method: path.startsWith('/rpc') ? 'POST' : 'GET' })
      expect(last().url).toBe(path)
    },
  )

  it.each(['/', '/login/form', '/login/error', '/octocat/hello', '/register'])('%s is our page', async (path) => {
    expect(await (await request(path)).text()).toContain('our page')
    expect(requests).toEqual([])
  })

  it('of a runner comes by any name, and of any size, without being held @system', async () => {
    let held = 0
    stand.answer = (request, response) => {
      request.on('data', (chunk: Buffer) => (held += chunk.length))
      request.on('end', () => response.end('done'))
    }
    const { hostname, port } = new URL(publicUrl())
    const path = '/rpc/v2/step/1/logs/upload'
    const call = httpRequest({ hostname, port, path, method: 'POST', headers: { Host: 'ci.internal' } })
    const chunk = Buffer.alloc(1 << 20)
    // Each chunk arrives before the next is sent: nothing buffers it on the way.
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
    stand.answer = (_request, response) => {
      response.writeHead(303, {
        'Set-Cookie': ['_session_=x; Path=/; Domain=drone.example.com; Max-Age=5; Secure; HttpOnly', 'b=1'],
        Location: `${origin()}/octocat/hello?a=1`,
        Connection: 'X-Secret-Hop',
        'X-Secret-Hop': '1',
        'Alt-Svc': 'h3=":443"',
        'Strict-Transport-Security': 'max-age=31536000',
      })
      response.end()
    }
    const response = await request('/api/x')
    // Browsers store cookies and HSTS per host name, not per port: they are not sent for ours.
    for (const name of ['alt-svc', 'strict-transport-security']) expect(response.headers.has(name)).toBe(false)
    expect(response.headers.getSetCookie()).toEqual(['_session_=x; Path=/; Max-Age=5; HttpOnly', 'b=1'])
    expect(response.headers.get('location')).toBe(`${publicUrl()}/octocat/hello?a=1`)
    expect(response.headers.has('x-secret-hop')).toBe(false)
  })

  it.each(['/register', 'https://github.com/login/oauth/authorize?client_id=1'])(
    'leads to %s as it says',
    async (to) => {
      stand.answer = (_request, response) => void response.writeHead(303, { Location: to }).end()
      expect((await request('/link/a/b/tree/x')).headers.get('location')).toBe(to)
    },
  )

  it('that redirects to the source-control system is Drone’s, with a page', async () => {
    // As recorded from 2.25.0.
    const to = 'https://git.example.com/acme/web/commit/abc'
    stand.answer = (_request, response) =>
      void response
        .writeHead(303, { 'Content-Type': 'text/html; charset=utf-8', Location: to })
        .end(`<a href="${to}">See Other</a>.\n\n`)
    const response = await request('/link/acme/web/commit/abc?ref=refs/heads/master')
    expect([response.status, response.headers.get('location')]).toEqual([303, to])
  })

  it('that is JSON is packed, an event stream is not', async () => {
    const body = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id })))
    stand.answer = (request, response) => {
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
    expect((await request('/api/stream')).headers.has('content-encoding')).toBe(false)
  })

  it('comes piece by piece, and ends for both when the reader goes', async () => {
    let stream: ServerResponse | undefined
    let ended = false
    stand.answer = (request, response) => {
      stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': ping\n\n')
      request.on('close', () => (ended = true))
    }
    const gone = new AbortController()
    const response = await request('/api/stream', { signal: gone.signal })
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
    stand.answer = (_request, response) => {
      stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': ping\n\n')
    }
    const reader = (await request('/api/stream')).body?.getReader() ?? expect.fail('no body')
    await reader.read()
    const more = reader.read()
    stream?.socket?.destroy()
    await expect(more).rejects.toThrow()
  })
})

describe('a server that cannot be reached', () => {
  it('is reported, and works again without a restart', async () => {
    const later = createServer((_request, response) => response.end('{"version":"2.25.0"}'))
    later.listen(0, '127.0.0.1')
    await once(later, 'listening')
    const { port } = later.address() as AddressInfo
    later.close()
    await once(later, 'close')
    await stand.startInFrontOf(`http://127.0.0.1:${port}`)
    const words = `The Drone server http://127.0.0.1:${port} refused the connection`
    const response = await request('/api/user')
    expect([response.status, await response.json()]).toEqual([502, { message: words }])
    const health = await request('/healthz')
    expect(await health.json()).toEqual({
      flightdeck: { state: 'ok', version: '1.2.3' },
      server: { url: `http://127.0.0.1:${port}`, state: words, version: '' },
    })
    expect(health.status).toBe(503)
    const server = expect.objectContaining({ state: words })
    const readiness = await request('/readyz')
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      { flightdeck: { state: 'ok', version: '1.2.3' }, server },
    ])
    // A restart of the gateway would not help: its liveness check leaves the server out.
    for (const path of ['/healthz?exclude=server', '/readyz?exclude=forge,server'])
      expect([path, (await request(path)).status]).toEqual([path, 200])
    later.listen(port, '127.0.0.1')
    await once(later, 'listening')
    expect((await request('/readyz')).status).toBe(200)
    expect(await (await request('/healthz')).json()).toMatchObject({ server: { state: 'ok', version: '2.25.0' } })
    later.closeAllConnections()
    later.close()
  })

  it('that accepts a request and does not answer does not delay health checks', async () => {
    stand.answer = () => {}
    await stand.startInFrontOf(origin(), 50)
    const state = `The Drone server ${origin()} does not respond`
    expect(await (await request('/healthz')).json()).toMatchObject({ flightdeck: { state: 'ok' }, server: { state } })
  })

  it('that is no Drone server is named', async () => {
    stand.answer = (_request, response) => void response.end('<html>a shop</html>')
    expect(await (await request('/healthz')).json()).toMatchObject({
      server: { state: expect.stringMatching(/is not a Drone server/) },
    })
  })
})

describe('signing in', () => {
  it('happens at the server if that redirects back here', async () => {
    const to = `https://github.com/login/oauth/authorize?redirect_uri=${encodeURIComponent(`${publicUrl()}/login`)}`
    stand.answer = (_request, response) => void response.writeHead(303, { Location: to }).end()
    expect((await request('/login')).headers.get('location')).toBe(to)
  })

  const forge = 'https://git.example.com'
  const elsewhere = `${forge}/login/oauth/authorize?client_id=1&redirect_uri=https%3A%2F%2Fdrone.example.com%2Flogin`
  // As Drone does for GitHub, and Bitbucket Server.
  const unsaid = [
    `${forge}/login/oauth/authorize?client_id=1&state=x`,
    `${forge}/plugins/servlet/oauth/authorize?oauth_token=x`,
  ]
  const leadsTo = (to: string) => {
    stand.answer = (_request, response) =>
      void response
        .writeHead(303, { Location: to, 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': '_oauth_state_=x' })
        .end(`<a href="${to}">See Other</a>.\n\n`)
  }

  it('is by token if it would redirect to another name', async () => {
    leadsTo(elsewhere)
    const response = await request('/login')
    expect([response.headers.get('location'), response.headers.getSetCookie()]).toEqual(['/login/token', []])
  })

  it.each(unsaid)('is by token where nobody says where %s leads back to', async (to) => {
    leadsTo(to)
    expect((await request('/login')).headers.get('location')).toBe('/login/token')
  })

  it.each(unsaid)('happens at %s where the name of this address was given', async (to) => {
    await stand.startWith({ isNamed: true })
    leadsTo(to)
    const response = await request('/login')
    expect([response.headers.get('location'), response.headers.getSetCookie()]).toEqual([to, ['_oauth_state_=x']])
    leadsTo(elsewhere)
    expect((await request('/login')).headers.get('location')).toBe('/login/token')
  })

  it('ends at the server with what the browser brings back, asked for once', async () => {
    leadsTo('/register')
    const cookie = '_oauth_state_=x'
    const response = await request('/login?code=a%2Fb&state=x', { headers: { Cookie: cookie } })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/register'])
    expect(requests.map(({ url, headers }) => [url, headers.cookie])).toEqual([['/login?code=a%2Fb&state=x', cookie]])
  })

  const signIn = (token: string) =>
    request('/login/token', { method: 'POST', body: new URLSearchParams({ token }), headers: { Origin: publicUrl() } })

  it('with a token checks it, and keeps it where no page can read it', async () => {
    stand.answer = (request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401
      response.end('{}')
    }
    const refused = await signIn('wrong')
    expect(refused.headers.get('location')).toBe(
      '/login/error?message=The%20server%20does%20not%20accept%20this%20token',
    )
    expect(refused.headers.getSetCookie()).toEqual([])
    const response = await signIn(' right ')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^_flightdeck_=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain('right')
    const [pair = ''] = cookie.split(';')
    await request('/api/user', { headers: { Cookie: pair } })
    expect(last().headers).toMatchObject({ authorization: 'Bearer right' })
    expect(last().headers.cookie).toBeUndefined()
    // An invalid credential is refused, and a token counts before a session.
    await request('/api/user', { headers: { Cookie: '_flightdeck_=forged' } })
    expect(last().headers.authorization).toBeUndefined()
    await request('/api/user', { headers: { Cookie: pair, Authorization: 'Bearer mine' } })
    expect(last().headers.authorization).toBe('Bearer mine')
  })

  it('ends at both, and shows our page', async () => {
    stand.answer = (_request, response) =>
      void response.writeHead(200, { 'Set-Cookie': '_session_=; Max-Age=0' }).end('theirs')
    const response = await request('/logout', { headers: { Cookie: '_session_=x' } })
    expect(await response.text()).toContain('our page')
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    expect(new Set(cookies)).toEqual(new Set(['_flightdeck_=', '_session_=']))
    expect(last().headers.cookie).toBe('_session_=x')
  })
})

describe('/metrics', () => {
  it('adds the figures of the gateway to those of the server', async () => {
    const began = performance.now()
    await request('/api/user')
    stand.answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4', 'Content-Length': '15' })
      response.end('drone_users 1\n\n')
    }
    const response = await request('/metrics', {
      headers: { Accept: 'application/openmetrics-text;version=1.0.0', Authorization: 'Bearer token' },
    })
    expect(last().headers).toMatchObject({
      accept: 'text/plain;version=0.0.4',
      'accept-encoding': 'identity',
      authorization: 'Bearer token',
    })
    const lines = (await response.text()).split('\n')
    expect(lines[0]).toBe('drone_users 1')
    const name = 'flightdeck_upstream_request_duration_seconds'
    for (const area of ['api', 'metrics'])
      expect(lines).toContain(`${name}_count{method="GET",area="${area}",status="200"} 1`)
    const sum = `${name}_sum{method="GET",area="api",status="200"} `
    const seconds = Number(lines.find((line) => line.startsWith(sum))?.slice(sum.length))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan((performance.now() - began) / 1000)
  })

  it('of a caller whom the server refuses has nothing of the gateway either', async () => {
    stand.answer = (_, response) => {
      response.writeHead(401, { 'Content-Type': 'text/plain' }).end('Invalid or missing prometheus token')
    }
    const response = await request('/metrics')
    expect([response.status, await response.text()]).toEqual([401, 'Invalid or missing prometheus token'])
  })
})
