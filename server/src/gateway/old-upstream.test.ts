/** A server with another API is reported as such, and its replacement is used immediately. */
import { beforeEach, describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { request, requests, origin } = stand

let version = {}
let clock = 0
const start = () => stand.startWith({ checks: () => clock })
beforeEach(() => {
  stand.answer = ({ url }, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(url === '/version' ? version : { login: 'ann' }))
})

const drone = 'https://github.com/drone/drone'
const old: [string, object, string][] = [
  ['Drone 0.8', { source: drone, version: '0.8.10' }, 'Drone 0.8.10'],
  ['Drone 1', { source: `${drone}.git`, version: '1.10.1', commit: 'abc' }, 'Drone 1.10.1'],
  ['Drone 1 without a stamp', { version: '1.0.0' }, 'Drone 1.0.0'],
  ['Woodpecker', { source: 'https://github.com/woodpecker-ci/woodpecker', version: '2.7.1' }, 'Woodpecker 2.7.1'],
]
const words = (name: string) => `${origin()} is ${name}; Flightdeck needs Drone 2`
const signedIn = { Cookie: '_session_=ann' }
const api = async () => {
  const response = await request('/api/user', { headers: signedIn })
  return [response.status, await response.json()]
}

describe.each(old)('%s', (_what, answer, name) => {
  it('is reported by each call, by the sign-in page, and by /healthz', async () => {
    version = answer
    await start()
    await expect.poll(api).toEqual([502, { message: words(name) }])
    const stream = await request('/api/stream', { headers: signedIn })
    expect([stream.status, await stream.json()]).toEqual([502, { message: words(name) }])
    const page = await request('/login', { headers: { Accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([502, expect.stringContaining(`<h1>${words(name)}</h1>`)])
    expect(await (await request('/healthz')).json()).toMatchObject({ server: { state: words(name) } })
  })
})

it('Drone 2 in its place is used without a restart', async () => {
  version = { source: drone, version: '1.10.1' }
  await start()
  await expect.poll(api).toEqual([502, { message: words('Drone 1.10.1') }])
  version = { source: drone, version: '2.25.0' }
  clock += 1_001
  expect(await api()).toEqual([200, { login: 'ann' }])
})

it.each([
  ['Drone 2', { source: drone, version: '2.25.0', commit: 'abc' }],
  ['Drone 2 without a stamp', { version: '2.25.0' }],
  ['another Flightdeck', { version: '0.1.0' }],
  ['a server that does not say', { message: 'Forbidden' }],
])('%s is asked as it is, and for its version once a minute', async (_what, answer) => {
  version = answer
  await start()
  const versions = () => requests.filter(({ url }) => url === '/version').length
  await expect.poll(versions).toBe(1)
  clock += 59_000
  for (let i = 0; i < 3; i += 1) expect(await api()).toEqual([200, { login: 'ann' }])
  expect(versions()).toBe(1)
  clock += 2_000
  expect(await api()).toEqual([200, { login: 'ann' }])
  await expect.poll(versions).toBe(2)
})

it('a server that only redirects to https is reported as such', async () => {
  const to = origin().replace('http:', 'https:')
  stand.answer = ({ url }, response) =>
    void response.writeHead(301, { Location: `${to}${url}`, 'Content-Type': 'text/html' }).end('<h1>301</h1>')
  const state = `The Drone server ${origin()} redirects to https; use --server ${to}`
  for (const path of ['/api/user', '/api/repos/a/b/secrets']) {
    const response = await request(path, { headers: signedIn })
    expect([response.status, await response.json()]).toEqual([502, { message: state }])
  }
  expect(await (await request('/healthz')).json()).toMatchObject({ server: { state } })
})

it('a server behind another sign-in is reported as such', async () => {
  stand.answer = (_request, response) =>
    void response.writeHead(302, { Location: 'https://sso.example.com/auth?rd=1' }).end()
  const response = await request('/api/user', { headers: signedIn })
  expect([response.status, await response.json()]).toEqual([
    502,
    {
      message: `${origin()} redirects every request to https://sso.example.com: either the server or a proxy in front of it requires its own sign-in`,
    },
  ])
})
