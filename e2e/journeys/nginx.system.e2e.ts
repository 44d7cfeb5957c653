/**
 * `web/dist` behind nginx with the configuration of docs/guide/behind-nginx.md, and the embedded
 * server.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DroneStand } from '../../server/src/testing/drone-stand.ts'
import { findNginx, startNginx } from '../support/nginx.ts'
import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test.setTimeout(90_000)
// Here nginx is in front of the server, not a gateway.
test.use({ through: false })

const endless = pipeline({ count: ['i=0; while true; do i=$((i+1)); echo "count $i"; sleep 0.2; done'] })

test('pages come from nginx, and everything else from the server, as the guide describes', async ({
  page,
  folder,
  start,
}) => {
  const nginx = findNginx()
  test.skip('reason' in nginx, 'reason' in nginx ? nginx.reason : '')
  if ('reason' in nginx) return
  const repos = join(folder, 'repos')
  const { slug } = await makeRepository(repos, 'space/rocket', endless)
  const server = await start({ repos })
  const { origin, stop } = await startNginx(nginx.path, join(folder, 'nginx'), server.origin)
  try {
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(origin + path, { headers, redirect: 'manual' })

    await test.step('every URL is a page that is revalidated; its files are cached permanently, compressed', async () => {
      for (const path of [
        '/',
        '/sample/hello/1/1/2',
        '/octocat/web.site.js',
        '/login/form',
        '/login/error',
        '/register',
      ]) {
        const response = await get(path)
        expect(
          [response.status, response.headers.get('content-type'), response.headers.get('cache-control')],
          path,
        ).toEqual([200, 'text/html', 'no-cache'])
        expect(await response.text(), path).toContain('<div id="root">')
      }
      const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(await (await get('/')).text()) ?? []
      const asset = await get(script, { 'Accept-Encoding': 'gzip' })
      expect([asset.status, asset.headers.get('cache-control'), asset.headers.get('content-encoding')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'gzip',
      ])
      expect((await get('/assets/gone-1.js')).status).toBe(404)
    })

    await test.step('the API is the server’s, with its messages', async () => {
      const refused = await get('/api/user')
      expect([refused.status, refused.headers.get('content-type'), await refused.json()]).toEqual([
        401,
        'application/json',
        { message: 'Unauthorized' },
      ])
      const missing = await get('/api/nope')
      expect([missing.status, missing.headers.get('content-type')]).not.toContain('text/html')
      expect(missing.status).toBe(404)
      expect(await (await get('/version')).json()).toMatchObject({ version: expect.any(String) })
      const login = await get('/login')
      expect([login.status, new URL(login.headers.get('location') ?? '', origin).href]).toEqual([
        303,
        `${origin}/login/form`,
      ])
    })

    await test.step('signing in and out work, and a line appears while its step is running', async () => {
      await signIn(page, origin)
      const list = await page.request.get(`${origin}/api/user/repos?latest=true`)
      expect(list.headers()['content-encoding']).toBe('gzip')
      const repo = `${origin}/api/repos/${slug}`
      for (const path of [repo, `${repo}/builds`]) {
        expect((await page.request.post(path, { headers: { Origin: origin } })).status()).toBe(200)
      }
      await page.goto(`${origin}/${slug}/1/1/2`)
      await expect(page.getByRole('log')).toContainText(/count \d/, { timeout: 30_000 })
      // Only an event can change this, because nothing polls.
      await expect(page.getByText('Step is running...')).toBeVisible()
      await page.goto(`${origin}/logout`)
      await expect(page.getByText('Your session has been successfully terminated.')).toBeVisible()
      await page.goto(`${origin}/`)
      await expect(page).toHaveURL(/\/welcome$/)
    })
  } finally {
    await stop()
  }
})

test('a line arrives immediately from a server that sends no buffering header', async ({ folder }) => {
  const nginx = findNginx()
  test.skip('reason' in nginx, 'reason' in nginx ? nginx.reason : '')
  if ('reason' in nginx) return
  const streams: ServerResponse[] = []
  const server = createServer((_request, response) => {
    // Without chunks, because nginx never buffers a chunked response.
    response.useChunkedEncodingByDefault = false
    streams.push(response.writeHead(200, { 'Content-Type': 'text/event-stream', Connection: 'close' }))
    response.write('data: 1\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { origin, stop } = await startNginx(nginx.path, join(folder, 'nginx'), to)
  try {
    const response = await fetch(`${origin}/api/stream/a/b/1/1/1`, { headers: { 'Accept-Encoding': 'gzip' } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader?.read()).toEqual({ done: false, value: 'data: 1\n\n' })
    streams[0]?.write('data: 2\n\n')
    expect(await reader?.read()).toEqual({ done: false, value: 'data: 2\n\n' })
    // The server notices when a reader disconnects.
    const closed = once(streams[0] ?? server, 'close')
    await reader?.cancel()
    await closed
  } finally {
    await stop()
    server.closeAllConnections()
    server.close()
  }
})

test.describe('with TLS', () => {
  test.use({ ignoreHTTPSErrors: true })

  test('people sign in, watch builds, and sign out', async ({ page, folder }) => {
    const nginx = findNginx()
    test.skip('reason' in nginx, 'reason' in nginx ? nginx.reason : '')
    if ('reason' in nginx) return
    const drone = await new DroneStand().listen()
    const { origin, stop } = await startNginx(nginx.path, join(folder, 'nginx'), drone.origin, { tls: true })
    try {
      await page.goto(`${origin}/`)
      await page.getByRole('link', { name: 'Continue' }).click()
      await page.getByLabel('Username').fill('boss')
      await page.getByLabel('Password').fill('correct horse')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Not now' }).click()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await page.goto(`${origin}/acme/web/35/1/2`)
      await expect(page.getByRole('log').locator('[data-line]')).toHaveCount(3)
      drone.finish()
      await expect(page.getByRole('status', { name: 'Build status' })).toContainText('success')
      const connections = await page.evaluate(() =>
        performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
      )
      expect(new Set(connections.filter((protocol) => protocol !== ''))).toEqual(new Set(['h2']))
      await page.goto(`${origin}/logout`)
      await expect(page.getByText('Your session has been successfully terminated.')).toBeVisible()
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('_session_')
      expect((await page.request.get(`${origin}/api/user`)).status()).toBe(401)
    } finally {
      await stop()
      drone.close()
    }
  })
})
