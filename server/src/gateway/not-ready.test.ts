/**
 * Drone, or the proxy in front of it, is still starting: the result is not remembered, and the
 * gateway tries again.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'
import { announceServer, findServer } from './start-report.ts'
import { createUpstream } from './upstream.ts'

const stand = runBehindGateway()
const { request, origin } = stand

const page = { 'Content-Type': 'text/html' }
const failing: [string, number, Record<string, string>, string][] = [
  ['a page of 502', 502, page, '502 Bad Gateway'],
  ['a page of 503', 503, page, '503 Service Unavailable'],
  ['a text of 503', 503, { 'Content-Type': 'text/plain' }, '503 Service Unavailable'],
  ['503 without a type', 503, {}, '503 Service Unavailable'],
  ['a page of 504', 504, page, '504 Gateway Timeout'],
  ['a page of 500', 500, page, '500 Internal Server Error'],
]
const words = (status: string) => `The Drone server ${origin()} cannot be reached yet: it responds with ${status}`

describe.each(failing)('%s', (_what, status, headers, reason) => {
  it('is not taken for another kind of server', async () => {
    stand.answer = (_request, response) => void response.writeHead(status, headers).end('<html>Bad Gateway</html>')
    const signedIn = { headers: { Cookie: '_session_=ann' } }
    for (const path of ['/api/user', '/api/repos/acme/web/builds', '/login']) {
      const answer = await request(path, signedIn)
      expect([path, answer.status, await answer.json()]).toEqual([path, 503, { message: words(reason) }])
    }
    expect(await (await request('/healthz')).json()).toMatchObject({ server: { state: words(reason) } })
  })
})

it("Drone's own errors pass", async () => {
  stand.answer = (_request, response) =>
    void response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"message":"database is locked"}')
  const answer = await request('/api/repos/acme/web/builds')
  expect([answer.status, await answer.json()]).toEqual([500, { message: 'database is locked' }])
})

it.each([
  ['a page', 200, page, '<html>a shop</html>'],
  ['an address that is unknown', 404, page, '<html>Not Found</html>'],
  ['JSON of another kind', 200, { 'Content-Type': 'application/json' }, '{"name":"shop"}'],
])('%s is another kind of server', async (_what, status, headers, body) => {
  stand.answer = (_request, response) => void response.writeHead(status, headers).end(body)
  const { server } = (await (await request('/healthz')).json()) as { server: { state: string } }
  expect(server.state).toContain('is not a Drone server')
})

describe('the start', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  async function listening(answer: RequestListener, port = 0): Promise<number> {
    const server = createServer(answer).listen(port, '127.0.0.1')
    await once(server, 'listening')
    ends.push(() => {
      server.closeAllConnections()
      return server.listening && new Promise((resolve) => server.close(resolve))
    })
    return (server.address() as AddressInfo).port
  }
  const front = { publicUrl: 'http://127.0.0.1:1', isNamed: false, serverToken: null }
  const finder = (port: number) => {
    const upstream = createUpstream(`http://127.0.0.1:${port}`)
    ends.push(() => upstream.close())
    return () => findServer(upstream, front)
  }

  it('reports a server that refuses, and later its version and how to sign in', async () => {
    const port = await listening(() => {})
    for (const end of ends.splice(0)) await end()
    const find = finder(port)
    const found = await find()
    expect(found).toEqual({
      isReady: false,
      work: [`server    http://127.0.0.1:${port}`],
      problems: [
        `The Drone server http://127.0.0.1:${port} refused the connection. Flightdeck keeps trying and reports here when it is available`,
      ],
    })
    const lines: string[] = []
    ends.push(announceServer(found, find, (line) => lines.push(line), { first: 1, max: 5 }))
    let status = 503
    await listening(
      (_request, response) => void response.writeHead(status).end(status === 200 ? '{"version":"2.28.1"}' : 'starting'),
      port,
    )
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toContain('cannot be reached yet: it responds with 503 Service Unavailable')
    status = 200
    await expect
      .poll(() => lines.slice(1))
      .toEqual([
        `server    http://127.0.0.1:${port}, version 2.28.1`,
        'sign in   as on the Drone server, or with a Drone token at http://127.0.0.1:1/login/token',
      ])
  })

  it('says that a web site is not a Drone server, and finds one in its place', async () => {
    let body = '<html>a shop</html>'
    const find = finder(await listening((_request, response) => void response.end(body)))
    const found = await find()
    expect(found.problems).toEqual([expect.stringMatching(/is not a Drone server: .*Flightdeck keeps checking/)])
    const lines: string[] = []
    ends.push(announceServer(found, find, (line) => lines.push(line), { first: 1, max: 5 }))
    body = '{"version":"2.28.1"}'
    await expect.poll(() => lines[0]).toContain('version 2.28.1')
  })
})
