/** What people see while the server is down: a page, and a way to retry. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
let words = ''

beforeEach(async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const origin = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
  gone.close()
  await once(gone, 'close')
  await stand.startInFrontOf(origin)
  words = `The Drone server ${origin} refused the connection`
})

const look = (path: string, init: RequestInit = {}) =>
  stand.request(path, {
    ...init,
    headers: { Accept: 'text/html,*/*;q=0.8', Origin: stand.publicUrl(), ...init.headers },
  })

it.each([
  ['/login', {}],
  ['/login', { method: 'POST', body: new URLSearchParams({ username: 'a', password: 'b' }) }],
  ['/login/token', { method: 'POST', body: new URLSearchParams({ token: 'abc' }) }],
  ['/link/a/b/commit/c?x="', {}],
])('%s says so on a page with Retry, and in JSON to a program', async (path, init) => {
  const page = await look(path, init)
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
  const html = await page.text()
  expect(html).toContain(`<h1>${words}</h1>`)
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(html) ?? []
  const css = await stand.request(style)
  expect([css.status, css.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(html).toContain(`<a href="${path.replace(/\?.*/, '')}">Retry</a>`)
  const json = await stand.request(path, { ...init, headers: { Origin: stand.publicUrl() } })
  expect([json.status, await json.json()]).toEqual([502, { message: words }])
})

it('all other pages are ours', async () => {
  for (const path of ['/', '/acme/web', '/login/form', '/welcome']) {
    expect(await (await look(path)).text()).toContain('our page')
  }
})

it('sign-out still works', async () => {
  const response = await look('/logout', { method: 'POST', headers: { Cookie: '_session_=s; _flightdeck_=t' } })
  expect(await response.text()).toContain('our page')
  const gone = response.headers.getSetCookie().filter((cookie) => /Max-Age=0;/.test(cookie))
  expect(new Set(gone.map((cookie) => cookie.split('=')[0]))).toEqual(new Set(['_flightdeck_', '_session_']))
})
