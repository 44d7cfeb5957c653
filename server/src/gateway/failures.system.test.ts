import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { selfSigned } from '../testing/certificate.ts'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { request } = stand

const servers: TcpServer[] = []
const sockets: { destroy(): void }[] = []
async function listening(server: TcpServer, port = 0): Promise<number> {
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return (server.address() as AddressInfo).port
}
async function end(server: TcpServer): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  if (server.listening) await once(server, 'close')
}
afterEach(async () => {
  for (const server of servers.splice(0)) await end(server)
})

const drone: RequestListener = (request, response) =>
  void response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(request.url === '/version' ? '{"version":"2.25.0"}' : '{"login":"ann"}')

async function readState() {
  const answers = await Promise.all([
    request('/api/user', { headers: { Cookie: '_session_=ann' } }),
    request('/api/repos/a/b/x'),
  ])
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ message: string }>))
  const health = (await (await request('/healthz')).json()) as { flightdeck: unknown; server: { state: string } }
  expect(health.flightdeck).toEqual({ state: 'ok', version: '1.2.3' })
  return { statuses: answers.map(({ status }) => status), messages: bodies.map(({ message }) => message), health }
}

/** Whatever the failure was: once it is fixed, nothing has to be restarted. */
async function expectRecovery(port: number): Promise<void> {
  await listening(createServer(drone), port)
  const answer = await request('/api/user', { headers: { Cookie: '_session_=ann' } })
  expect(await answer.json()).toEqual({ login: 'ann' })
  expect(await (await request('/healthz')).json()).toMatchObject({ server: { state: 'ok', version: '2.25.0' } })
}

describe('each call and /healthz report the fault of the server', () => {
  const broken: [string, () => TcpServer | Server, string][] = [
    ['it hangs', () => createServer(() => {}), 'does not respond'],
    ['it takes connections and says nothing', () => createTcpServer(() => {}), 'does not respond'],
    ['it breaks off', () => createTcpServer((socket) => socket.destroy()), 'closed the connection unexpectedly'],
    [
      'it speaks https, and says nothing to others',
      () => createTlsServer(selfSigned()),
      'closed the connection unexpectedly',
    ],
    [
      'it speaks something else',
      () => createTcpServer((socket) => socket.end('SSH-2.0-x\r\n')),
      'does not accept http',
    ],
  ]
  it.each(broken)('%s', async (_words, make, words) => {
    const server = make()
    const port = await listening(server)
    // Long enough for a machine that is busy otherwise.
    await stand.startInFrontOf(`http://127.0.0.1:${port}`, 2000)
    const { statuses, messages, health } = await readState()
    for (const message of [...messages, health.server.state]) expect(message).toContain(words)
    for (const status of statuses) expect([502, 504]).toContain(status)
    await end(server)
    await expectRecovery(port)
  })

  it.each([
    [
      'its certificate is its own',
      () => createTlsServer(selfSigned(), drone),
      'has a certificate that is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    ['it speaks http', () => createServer(drone), 'does not accept https; try http://'],
  ])('with https, %s', async (_words, make, words) => {
    const port = await listening(make())
    await stand.startInFrontOf(`https://127.0.0.1:${port}`)
    const { statuses, messages, health } = await readState()
    expect(statuses).toEqual([502, 502])
    for (const message of [...messages, health.server.state]) expect(message).toContain(words)
  })

  it.each([
    'Client sent an HTTP request to an HTTPS server.\n',
    '<title>400 The plain HTTP request was sent to HTTPS port</title>',
  ])('it speaks https and says so: %j', async (text) => {
    stand.answer = (_request, response) => void response.writeHead(400).end(text)
    expect(await (await request('/healthz')).json()).toMatchObject({
      server: { state: `The Drone server ${stand.origin()} does not accept http; try https://` },
    })
  })

  it('its name is unknown', async () => {
    await stand.startInFrontOf('http://drone.invalid')
    const { statuses, messages, health } = await readState()
    expect(statuses).toEqual([502, 502])
    for (const message of [...messages, health.server.state]) expect(message).toContain('could not be resolved')
  })

  it('it is a web site, or behind a sign-in of another kind', async () => {
    const server = createServer(
      (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>a shop</html>'),
    )
    const port = await listening(server)
    await stand.startInFrontOf(`http://127.0.0.1:${port}`)
    const { statuses, messages, health } = await readState()
    expect(statuses).toEqual([502, 502])
    for (const message of messages) expect(message).toContain('answers the API with a page: it is not a Drone server')
    expect(health.server.state).toContain('is not a Drone server')
    await end(server)
    await expectRecovery(port)
  })
})
