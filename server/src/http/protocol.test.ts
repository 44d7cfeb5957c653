import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, publicUrl, tokenOf, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

describe('addresses (docs/api §0)', () => {
  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/user/nope',
    '/api/repos/acme%2Fweb',
    '/api/repos/acme/web/builds/1/logs/1/1/',
  ])('answers 404 in plain text at %s', async (path) => {
    const response = await app.request(path, { as: 'ann' })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe('404 page not found\n')
  })

  it.each([
    ['DELETE', '/api/user'],
    ['GET', '/api/user/token'],
    ['HEAD', '/api/repos/acme/web'],
    ['PUT', '/api/repos/acme/web'],
    ['PUT', '/api/repos/acme/web/builds/latest'],
    // recordings/http/hook.json
    ['GET', '/hook'],
    ['HEAD', '/hook'],
  ])('answers 405 without a body to %s %s', async (method, path) => {
    const response = await app.request(path, { as: 'ann', method })
    expect([response.status, await response.text(), response.headers.get('allow')]).toEqual([405, '', null])
  })

  it.each(['/api/user/', '/api/repos/acme/web/', '/api/repos/acme/web/builds/', '/api/repos/acme/web/secrets/'])(
    'accepts the slash at the end of %s',
    async (path) => {
      expect((await app.request(path, { as: 'ann' })).status).toBe(200)
    },
  )

  it('answers any OPTIONS with nothing, and allows no other origin', async () => {
    const response = await app.request('/api/user', {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example.com' },
    })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    // recordings/http/errors.json
    expect(response.headers.get('vary')).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
  })
})

it('reads JSON that is sent as a form, as curl -d does, also after a search for a token in it', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = JSON.stringify({ email: 'ann@example.com' })
  const path = `/api/user?access_token=${tokenOf('ann')}`
  expect(await app.answer(path, { method: 'PATCH', headers, body })).toMatchObject([200, { email: 'ann@example.com' }])
})

describe('headers', () => {
  it('keeps answers of the API out of every cache', async () => {
    const { headers } = await app.request('/api/user', { as: 'ann', headers: { 'If-None-Match': '"x"' } })
    expect(headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate, private, max-age=0')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('vary')).toBe('Origin')
  })

  // recordings/http: of all responses except pages only these have no such headers (docs/api §0
  // "security headers").
  it.each([
    ...['/', '/acme/web/12', '/login', '/login/form', '/logout', '/hook', '/version', '/varz'].map((path) => [
      path,
      true,
    ]),
    ...['/api/user', '/api/nope', '/rpc/v2/ping', '/metrics', '/healthz'].map((path) => [path, false]),
  ] as [string, boolean][])('tells at %s what old browsers do about scripts in an address: %s', async (path, told) => {
    const { headers } = await app.request(path)
    expect(headers.get('x-xss-protection')).toBe(told ? '1; mode=block' : null)
  })

  it.each(['/api/user', '/api/nope', '/', '/apis/one', '/assets/none.js', '/login', '/healthz'])(
    'protects %s',
    async (path) => {
      const { headers } = await app.request(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      // Only a page has something inline, which its policy names.
      expect(policy).toMatch(path.startsWith('/api/') ? /script-src 'self';/ : /script-src 'self' 'sha256-[^ ;]+';/)
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    },
  )
})

describe('bodies', () => {
  const patch = (call: object) => app.answer('/api/user', { as: 'otto', method: 'PATCH', ...call })

  it('are compact JSON with one newline and Go’s escapes', async () => {
    const response = await app.request('/api/repos/acme/web/builds/a%22b%3Cc%3E', { as: 'ann' })
    expect(await response.text()).toBe(
      `{"message":"strconv.ParseInt: parsing \\"a\\\\\\"b\\u003cc\\u003e\\": invalid syntax"}\n`,
    )
  })

  it.each([
    ['', 'EOF'],
    ['{', 'unexpected EOF'],
    ['{"email":', 'unexpected EOF'],
    ['{"email":"', 'unexpected EOF'],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['maybe', "invalid character 'm' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type User'],
    ['{"email":5}', 'json: cannot unmarshal number into Go struct field User.email of type string'],
  ])('refuses %j', async (body, message) => {
    expect(await patch({ body })).toEqual([400, { message }])
  })

  it('ignores unknown fields and null', async () => {
    expect(await patch({ json: { nope: 1, email: null, admin: true } })).toMatchObject([
      200,
      { email: '', admin: false },
    ])
  })

  it('refuses more than a megabyte, with or without a Content-Length', async () => {
    const body = JSON.stringify({ email: 'x'.repeat(10 * 1024 * 1024) })
    const refusal = [413, { message: 'The request is too large: at most 1 MB are accepted' }]
    expect(await patch({ body })).toEqual(refusal)
    expect(await patch({ body, headers: { 'Content-Length': String(body.length) } })).toEqual(refusal)
    const start = { as: 'ann', method: 'POST', body, headers: { 'Content-Length': String(body.length) } } as const
    expect(await app.answer('/api/repos/acme/web/builds', start)).toEqual(refusal)
  })

  it('logs no failure when the client goes away', async () => {
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error('aborted')) })
    const headers = { Authorization: `Bearer ${tokenOf('ann')}` }
    const response = await app.app.request('/api/user', {
      method: 'PATCH',
      headers,
      body,
      duplex: 'half',
    } as RequestInit)
    expect([response.status, await response.json()]).toEqual([400, { message: 'unexpected EOF' }])
  })
})

describe('callers of writes', () => {
  const refusal = [403, { message: 'Cross-origin request refused' }]
  const post = (headers: Record<string, string>) =>
    app.answer('/logout', { method: 'POST', headers: { Host: 'localhost:8080', ...headers } })

  it.each([
    [{ Origin: 'https://elsewhere.example.com' }],
    [{ Origin: 'null' }],
    [{ Origin: 'http://localhost:9999' }],
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
  ])('not a page with %j', async (headers: Record<string, string>) => {
    expect(await post(headers)).toEqual(refusal)
  })

  it.each([
    [{ Origin: publicUrl, 'Sec-Fetch-Site': 'same-origin' }],
    [{ Origin: 'http://localhost:8080' }],
    [{ 'Sec-Fetch-Site': 'same-origin' }],
    [{}],
  ])('a page or a program with %j', async (headers: Record<string, string>) => {
    expect((await post(headers))[0]).toBe(200)
  })

  it('a token from anywhere, but only on the API', async () => {
    const headers = { Origin: 'https://elsewhere.example.com' }
    expect((await app.answer('/api/user/token', { as: 'otto', method: 'POST', headers }))[0]).toBe(200)
    expect(await app.answer('/login?access_token=x', { method: 'POST', headers })).toEqual(refusal)
  })

  it('allows reads from anywhere', async () => {
    expect((await app.request('/healthz', { headers: { Origin: 'https://elsewhere.example.com' } })).status).toBe(200)
  })
})

describe('while the disk syncs a change', () => {
  it('is alive, and answers nothing else', async () => {
    let answered = false
    let onWait = () => {}
    const waits = new Promise<void>((resolve) => (onWait = resolve))
    const slow = await createTestApp({
      durable() {
        onWait()
        return new Promise(() => {})
      },
    })
    void Promise.resolve(slow.request('/api/user', { as: 'ann' })).then(() => (answered = true))
    await waits
    expect(await slow.answer('/healthz')).toEqual([200, 'OK'])
    expect(answered).toBe(false)
    await slow.close()
  })
})

describe('outside the API', () => {
  it('serves health and version', async () => {
    expect(await app.answer('/healthz', { method: 'POST' })).toEqual([200, 'OK'])
    expect(await app.answer('/version')).toEqual([200, { version: '1.2.3' }])
    expect(await app.answer('/varz')).toMatchObject([200, { license: { expire_at: '0001-01-01T00:00:00Z' } }])
  })
})
