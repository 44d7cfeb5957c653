/** Odd addresses, sent byte by byte over a real socket: a client library would mend them first. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pipelines } from '../testing/test-bench.ts'
import { listen, type Listener } from '../listener/listener.ts'
import { createTestApp, page, tokenOf, type TestApp } from '../testing/test-app.ts'

let app: TestApp
let listener: Listener
beforeAll(async () => {
  app = await createTestApp()
  writeFileSync(join(app.webRoot, 'assets/app-1.js'), 'let app')
  writeFileSync(join(app.webRoot, 'favicon.svg'), '<svg/>')
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
  app.bench.commit(pipelines({ a: '' }))
  await app.bench.startBuild()
})
afterAll(async () => {
  await listener.close()
  await app.close()
})

async function get(path: string, method = 'GET') {
  const { port, host } = new URL(listener.url)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (part: string) => {
    text += part
  })
  const words = [`Host: ${host}`, `Authorization: Bearer ${tokenOf('ann')}`, 'Connection: close']
  socket.write([`${method} ${path} HTTP/1.1`, ...words, '', ''].join('\r\n'))
  await once(socket, 'close')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: rest.join('\r\n\r\n') }
}

it.each([256, 4_000, 10_000])(
  'the page answers at an address of %i characters, and nothing is logged',
  async (length) => {
    const { status, body } = await get(`/${'x'.repeat(length)}`)
    expect([status, body.includes(page)]).toEqual([200, true])
    expect((await get(`/assets/${'x'.repeat(length)}.js`)).status).toBe(404)
    expect((await get('/favicon.svg/below')).body).toContain(page)
    expect(app.failures).toEqual([])
  },
)

it.each([
  '/api/repos/other/secret/%2e%2e/%2e%2e/acme/web',
  '/api/repos/other/secret/../../acme/web',
  '/api/repos/acme/%2E./acme/web',
  '/api/repos/acme/./web',
  '/api/repos/acme/web/builds/%2e',
  '/x/../healthz',
  '/x/%2e%2e/healthz',
  '/x/%2e%2e/assets/app-1.js',
  '/welcome/%2e%2e',
  '/api/repos/acme/web%00',
  '/api/repos/acme/web%00x/builds/1',
  '/link/acme/web%00/commit/main',
])('nothing else is served than what %s says', async (path) => {
  const { status, head, body } = await get(path)
  expect([status, body]).toEqual([404, '404 page not found\n'])
  expect(head).toContain('content-security-policy')
  expect(app.failures).toEqual([])
})

it('similar paths are served as before', async () => {
  for (const path of ['/acme/web/settings?from=../x', '/acme/..web', '/acme/web../1', '/...', '/acme/web/%2e%2ex']) {
    expect([path, (await get(path)).status]).toEqual([path, 200])
  }
  expect((await get('/healthz?x=/../y')).body).toContain('OK')
})

it.each([
  '/x%2f..%2ffavicon.svg',
  '/x%2f%2e%2e%2ffavicon.svg',
  '/assets%2fapp-1.js',
  '/assets%5capp-1.js',
  '/%2ffavicon.svg',
])('no file is served for a name with an escaped slash: %s', async (path) => {
  expect((await get(path)).body).toContain(page)
})

it('has no slash behind what is no root of a group', async () => {
  expect((await get('/api/repos/acme/web/builds/1')).status).toBe(200)
  expect((await get('/api/repos/acme/web/builds/')).status).toBe(200)
  for (const path of ['/api/repos/acme/web/builds/1/', '/api/repos/acme/web/builds/latest/']) {
    const { status, body } = await get(path)
    expect([path, status, body]).toEqual([path, 404, '404 page not found\n'])
  }
})

it.each([
  ['GET', '/rpc'],
  ['PUT', '/rpc/v1/x'],
  ['HEAD', '/rpc/v1'],
])('runners of old are told that nobody is there: %s %s', async (method, path) => {
  const { status, head, body } = await get(path, method)
  expect([status, head.includes('text/plain'), body]).toEqual([
    404,
    true,
    method === 'HEAD' ? '' : '404 page not found\n',
  ])
})

it('a namespace has no templates, and only its own people hear that', async () => {
  const answer = (as?: 'ann' | 'otto' | 'boss') => app.answer('/api/templates/ann', as ? { as } : {})
  expect(await answer('ann')).toEqual([200, []])
  expect(await answer('boss')).toEqual([200, []])
  expect(await answer('otto')).toEqual([401, { message: 'Forbidden' }])
  expect(await answer()).toEqual([401, { message: 'Unauthorized' }])
})
