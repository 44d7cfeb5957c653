import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, page, tokenOf, type TestApp } from '../testing/test-app.ts'
import { startSession } from '../people/sessions.ts'
import { findUserByLogin } from '../store/users.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  writeFileSync(join(app.webRoot, 'assets/app-1.js'), 'let app')
  writeFileSync(join(app.webRoot, 'assets/app-1.js.gz'), gzipSync('let app'))
  writeFileSync(join(app.webRoot, 'favicon.svg'), '<svg/>')
  writeFileSync(join(app.webRoot, '.stamp'), 'of the build')
})
afterAll(() => app.close())

it.each([
  '/',
  '/welcome',
  '/login/form',
  '/login/error?message=x',
  '/acme/web/12',
  '/acme/web.js',
  '/builds-feed',
  '/favicon.svg/x',
  `/${'x'.repeat(300)}`,
])('answers %s with the page', async (path) => {
  const response = await app.request(path)
  expect([response.status, await response.text()]).toEqual([200, page])
  expect(response.headers.get('cache-control')).toBe('no-cache')
})

it('serves the built files: immutable under /assets, and revalidated elsewhere', async () => {
  const script = await app.request('/assets/app-1.js')
  expect(await script.text()).toBe('let app')
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const icon = await app.request('/favicon.svg')
  const etag = icon.headers.get('etag') ?? ''
  const again = await app.request('/favicon.svg', { headers: { 'If-None-Match': etag } })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
})

it('sends the compressed file if it is accepted', async () => {
  const response = await app.request('/assets/app-1.js', { headers: { 'Accept-Encoding': 'br, gzip' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(Buffer.from(await response.arrayBuffer())).toEqual(gzipSync('let app'))
  const refused = await app.request('/assets/app-1.js', { headers: { 'Accept-Encoding': 'gzip;q=0' } })
  expect(refused.headers.get('content-encoding')).toBeNull()
  await refused.body?.cancel()
})

it.each(['/assets/none.js', '/assets/', '/assets/..%2f..%2fdb.sqlite', '/assets/%'])(
  'has nothing at %s',
  async (path) => {
    expect((await app.request(path)).status).toBe(404)
  },
)

it.each(['/..%2fdb.sqlite', '/%2e%2e/db.sqlite', '/%00', '/%', '/.stamp'])(
  'never leaves its folder: %s',
  async (path) => {
    expect(await (await app.request(path)).text()).toBe(page)
  },
)

it('answers a link to itself with the page', async () => {
  symlinkSync('loop.svg', join(app.webRoot, 'loop.svg'))
  expect(await (await app.request('/loop.svg')).text()).toBe(page)
  expect(app.failures).toEqual([])
})

it('answers only to GET and HEAD', async () => {
  expect((await app.request('/acme/web', { method: 'POST' })).status).toBe(405)
  const head = await app.request('/favicon.svg', { method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '6'])
})

it('allows exactly the inline script of the page', async () => {
  const hash = createHash('sha256').update('theme()').digest('base64')
  const policy = (await app.request('/')).headers.get('content-security-policy')
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
})

it('sends page headers with pages only', async () => {
  writeFileSync(join(app.webRoot, 'assets/drawing-1.svg'), '<svg/>')
  const security = async (path: string) => {
    const { headers } = await app.request(path)
    return ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'].map((name) =>
      headers.get(name),
    )
  }
  const page = await security('/')
  expect(page).toEqual([expect.stringContaining("frame-ancestors 'none'"), 'nosniff', 'DENY', 'same-origin'])
  // A worker may be started from it: under no policy it would reach everywhere.
  expect(await security('/assets/app-1.js')).toEqual(["default-src 'self'", 'nosniff', null, null])
  for (const path of ['/favicon.svg', '/assets/drawing-1.svg', '/assets/none.js', '/acme/web.js'])
    expect([path, await security(path)]).toEqual([path, page])
})

it('names the user of the session with the page, and caches none for another person', async () => {
  const session = async (login: string) => {
    const user = (await findUserByLogin(app.bench.db, login)) ?? expect.fail('nobody')
    return { Cookie: `_session_=${await startSession(app.bench.db, user, app.bench.clock.now)}` }
  }
  const [ann, rae] = [await session('ann'), await session('rae')]
  const ask = async (headers: Record<string, string>, path = '/acme/web') => {
    const response = await app.request(path, { headers })
    await response.body?.cancel()
    const [timing, kept, etag = ''] = ['server-timing', 'cache-control', 'etag'].map((name) =>
      response.headers.get(name),
    )
    return { status: response.status, timing, kept, etag: etag ?? '' }
  }
  const hers = await ask(ann)
  expect(hers).toMatchObject({ timing: `person;desc="${app.bench.user.id}"`, kept: 'private, no-cache' })
  expect(await ask({ ...ann, 'If-None-Match': hers.etag })).toEqual({ ...hers, status: 304 })
  expect((await ask({ ...rae, 'If-None-Match': hers.etag })).status).toBe(200)
  const guests = await ask({ 'If-None-Match': hers.etag })
  expect(guests).toMatchObject({ status: 200, timing: null, kept: 'no-cache' })
  expect((await ask({ ...ann, 'If-None-Match': guests.etag })).status).toBe(200)
  // Page requests send the cookie only; a token in the address is ignored.
  expect((await ask({}, `/?access_token=${tokenOf('ann')}`)).timing).toBeNull()
  expect((await ask(ann, `/?access_token=${tokenOf('rae')}`)).timing).toBe(hers.timing)
  await app.request('/logout', { method: 'POST', headers: ann })
  expect((await ask(ann)).timing).toBeNull()
  // Nor on files that belong to no user.
  expect((await ask(rae, '/assets/app-1.js')).timing).toBeNull()
})

it('says so when it was never built', async () => {
  const bare = await createTestApp()
  rmSync(join(bare.webRoot, 'index.html'))
  expect(await bare.answer('/')).toEqual([503, 'The front end has not been built; run npm run build\n'])
  await bare.close()
})
