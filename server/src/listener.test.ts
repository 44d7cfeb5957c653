import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen, type Listener } from './listener.ts'

let listener: Listener
beforeEach(async () => {
  listener = await listen('127.0.0.1', 0)
  listener.serve((request) => new Response(new URL(request.url).pathname))
})
afterEach(() => listener.close())

/** The whole answer, until the server closes the connection. */
async function answerTo(...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (part: string) => {
    text += part
  })
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  await once(socket, 'close')
  return text
}
const statusOf = (answer: string) => answer.split('\r\n')[0]

test.each(['a b', 'a/../b', '[::1', '@'])('a host that is none (%s) is refused, not left waiting', async (host) => {
  expect(statusOf(await answerTo('GET / HTTP/1.1', `Host: ${host}`))).toBe('HTTP/1.1 400 Bad Request')
})

test('an address that is none is refused', async () => {
  expect(statusOf(await answerTo('GET ftp://x/ HTTP/1.1', 'Host: x'))).toBe('HTTP/1.1 400 Bad Request')
})

test('a client that names no host is served', async () => {
  const answer = await answerTo('GET /healthz HTTP/1.0')
  expect(statusOf(answer)).toBe('HTTP/1.1 200 OK')
  expect(answer).toContain('/healthz')
})

test('a failure in the app is a 500', async () => {
  listener.serve(() => Promise.reject(new Error('not expected')))
  expect(statusOf(await answerTo('GET / HTTP/1.1', 'Host: x'))).toBe('HTTP/1.1 500 Internal Server Error')
})
