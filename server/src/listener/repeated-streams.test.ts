/** Streams that are opened again with the same head, as their clients see them. */
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { frameOf, streamResponse, type SocketHandoff } from '../lib/stream-connection.ts'
import { listen, type Listener } from './listener.ts'

let listener: Listener
let sockets: Socket[]
let judged: string[]
const repeat = vi.fn(() => true)

/** Says in the stream how many requests it has judged. */
async function answer(request: Request, bindings: unknown): Promise<Response> {
  const { pathname } = new URL(request.url)
  judged.push(pathname)
  const ping = frameOf(`: ping ${judged.length}\n\n`)
  const response = streamResponse(bindings as SocketHandoff, (connection) => connection.write(ping), repeat)
  response.headers.set('X-Request-Id', `request ${judged.length}`)
  return pathname === '/refused' ? new Response('no', { status: 403 }) : response
}

beforeEach(async () => {
  sockets = []
  judged = []
  repeat.mockReset().mockReturnValue(true)
  listener = await listen('127.0.0.1', 0)
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await listener.close()
})

function ask(path: string, more = '') {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (part: string) => (text += part))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`)
  return () => text
}
const opened = async (path: string, more?: string) => {
  const text = ask(path, more)
  await expect.poll(text, { timeout: 10_000 }).toMatch(/ping \d|403 Forbidden/)
  return text()
}
const headOf = (text: string) => text.split('\r\n\r\n')[0]?.replace(/^(date|x-request-id): .*$/gim, '$1')
const requestIdOf = (text: string) => /x-request-id: (\S+)/i.exec(text)?.[1]

test('the same request gets the same stream without being judged, and a request id of its own', async () => {
  listener.serve(answer)
  const first = await opened('/')
  const second = await opened('/')
  const third = await opened('/')
  expect([judged, repeat.mock.calls.length]).toEqual([['/'], 2])
  expect([headOf(second), headOf(third)]).toEqual([headOf(first), headOf(first)])
  expect(second).toContain(': ping 1\n\n')
  expect(new Set([first, second, third].map(requestIdOf)).size).toBe(3)
})

test.each([
  ['path', '/other', ''],
  ['credential', '/', 'Cookie: _session_=other\r\n'],
  ['header', '/', 'Origin: http://elsewhere.example.com\r\n'],
])('another %s is judged', async (_, path, header) => {
  listener.serve(answer)
  await opened('/')
  await opened(path, header)
  expect(judged).toEqual(['/', path])
})

test('once the app says no, the request is judged again, and later ones get that answer', async () => {
  listener.serve(answer)
  await opened('/')
  repeat.mockReturnValueOnce(false)
  expect(await opened('/')).toContain(': ping 2\n\n')
  expect(await opened('/')).toContain(': ping 2\n\n')
})

test('a refusal is not repeated', async () => {
  listener.serve(answer)
  expect([await opened('/refused'), await opened('/refused')].map((text) => text.slice(0, 12))).toEqual([
    'HTTP/1.1 403',
    'HTTP/1.1 403',
  ])
  expect(judged).toEqual(['/refused', '/refused'])
})

test('during the start a stream waits, while every other call hears that the server is starting', async () => {
  const streams = [ask('/api/stream'), ask('/api/stream/acme/web'), ask('/api/stream?access_token=a')]
  const others = [ask('/api/user'), ask('/api/streams'), ask('/')]
  for (const other of others) await expect.poll(other, { timeout: 10_000 }).toContain('HTTP/1.1 503')
  expect(streams.map((text) => text())).toEqual(['', '', ''])
  listener.serve(answer)
  for (const text of streams) await expect.poll(text, { timeout: 10_000 }).toContain(': ping')
})
