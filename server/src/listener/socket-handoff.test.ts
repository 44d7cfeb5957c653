/** Streams that are written straight to their sockets, as their readers see them. */
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { frameOf, streamResponse, type SocketHandoff, type StreamConnection } from '../lib/stream-connection.ts'
import { listen, type Listener } from './listener.ts'

let listener: Listener
let connections: StreamConnection[]
let sockets: Socket[]
beforeEach(async () => {
  connections = []
  sockets = []
  listener = await listen('127.0.0.1', 0)
  listener.serve((request, bindings) => {
    const { pathname } = new URL(request.url)
    const answer = streamResponse(bindings as SocketHandoff, (connection) => {
      connections.push(connection)
      connection.write(frameOf(`: ping\n\ndata: ${pathname}\n\n`))
    })
    // A refusal after the handler, such as by a permission that was revoked in the meantime.
    return Promise.resolve(pathname === '/refused' ? new Response('no', { status: 403 }) : answer)
  })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await listener.close()
})

function ask(text: string) {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1')
  sockets.push(socket)
  let got = ''
  socket.on('data', (part: string) => (got += part))
  socket.on('error', () => undefined)
  socket.write(text)
  return {
    socket,
    closed: once(socket, 'close'),
    text: () => got,
    until: (end: string) => expect.poll(() => got, { timeout: 10_000 }).toContain(end),
  }
}
const get = (path: string, version = '1.1', more = '') => `GET ${path} HTTP/${version}\r\nHost: x\r\n${more}\r\n`
const only = () => connections[0] ?? expect.fail('no connection')

test('the head and the first event are one write to the system', async () => {
  const writes = vi.spyOn(Socket.prototype, '_writev')
  await ask(get('/')).until('data: /\n\n')
  expect(writes.mock.calls.map(([parts]) => parts.length)).toEqual([2])
  writes.mockRestore()
})

test('a stream has a head, chunks and an end, and the connection serves the next request', async () => {
  const reader = ask(get('/'))
  await reader.until(': ping\n\n')
  expect(reader.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(reader.text()).toMatch(/\r\ncontent-type: text\/event-stream\r\n/i)
  only().write(frameOf('data: grün\n\n'))
  await reader.until('\r\nd\r\ndata: gr\u00c3\u00bcn\n\n\r\n')
  only().end()
  only().write(frameOf('late'))
  await reader.until('\r\n0\r\n\r\n')
  expect(only().closeSignal.aborted).toBe(true)
  reader.socket.write(get('/'))
  await expect.poll(() => connections.length).toBe(2)
  expect(reader.text()).not.toContain('late')
})

test('a client of HTTP/1.0 gets the bytes without chunks, until the connection ends', async () => {
  const reader = ask(get('/', '1.0'))
  await reader.until(': ping\n\n')
  only().write(frameOf('data: 1\n\n'))
  only().end()
  await reader.closed
  expect(reader.text().split('\r\n\r\n')[1]).toBe(': ping\n\ndata: /\n\ndata: 1\n\n')
})

test('a request behind another one of its connection is answered in its turn', async () => {
  const reader = ask(get('/first') + get('/second'))
  await reader.until('/first')
  expect(connections).toHaveLength(1)
  only().write(frameOf('data: more\n\n'))
  only().end()
  await expect.poll(() => connections.length).toBe(2)
  connections[1]?.write(frameOf('data: more\n\n'))
  connections[1]?.end()
  await reader.until('/second')
  await expect.poll(() => reader.text().split('data: more').length).toBe(3)
  expect(reader.text().split('200 OK')).toHaveLength(3)
})

test('a refusal that comes late is an answer like any other', async () => {
  const reader = ask(get('/refused', '1.1', 'Connection: close\r\n'))
  await reader.closed
  expect(reader.text()).toMatch(/^HTTP\/1\.1 403 [^]*\r\n\r\nno$/)
  expect(connections).toEqual([])
})

test('a stream is over when its reader leaves, and is broken off when it is cut', async () => {
  const [leaves, stays] = [ask(get('/')), ask(get('/'))]
  await leaves.until(': ping')
  await stays.until(': ping')
  leaves.socket.destroy()
  await expect
    .poll(() => connections.filter(({ closeSignal }) => closeSignal.aborted).length, { timeout: 10_000 })
    .toBe(1)
  connections.find(({ closeSignal }) => !closeSignal.aborted)?.cut()
  await stays.closed
  expect(stays.text()).not.toContain('\r\n0\r\n\r\n')
})

test('unread data waits, and the sender is notified when it was read', async () => {
  const reader = ask(get('/'))
  await reader.until(': ping')
  reader.socket.pause()
  const frame = frameOf(Buffer.alloc(8 * 1024 * 1024, 'x'))
  let drained = false
  only().write(frame)
  only().write(frame)
  only().onceDrained(() => (drained = true))
  expect(only().waitingBytes()).toBeGreaterThan(0)
  reader.socket.resume()
  await expect.poll(() => drained, { timeout: 10_000 }).toBe(true)
  expect(only().waitingBytes()).toBe(0)
})
