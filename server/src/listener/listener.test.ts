import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen, maxConnections, type Listener } from './listener.ts'

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

test('a body that comes in pieces of a byte is cut when they are many @system', async () => {
  listener.serve(async (request) => new Response(`${(await request.text()).length}`))
  const send = async (pieces: string[]) => {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1')
    let text = ''
    socket.on('data', (part: string) => {
      text += part
    })
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
    })
    const body = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
    )
    await closed
    return text
  }
  const many = (piece: string, count: number) => Array.from({ length: count }, () => piece)
  expect(await send(many('a', 5_000))).toContain('5000')
  expect(await send(many('a'.repeat(20), 20_000))).toContain('400000')
  expect(await send(many('a', 20_000))).not.toContain('200 OK')
})

test('connections leave files for everything else', async () => {
  const limits =
    'Limit                     Soft Limit  Hard Limit  Units\nMax open files            1000        4096        files\n'
  expect(maxConnections(limits)).toBe(750)
  expect(maxConnections('Max open files            unlimited   unlimited   files\n')).toBeUndefined()
  expect(maxConnections('')).toBeUndefined()

  const small = await listen('127.0.0.1', 0, { connections: 2 })
  small.serve(() => new Response('here'))
  const open = () => connect(Number(new URL(small.url).port), '127.0.0.1').on('error', () => {})
  const held = [open(), open()]
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  const more = open()
  await once(more, 'close')
  held[0]?.destroy()
  await expect
    .poll(() =>
      fetch(small.url).then(
        (answer) => answer.text(),
        () => '',
      ),
    )
    .toBe('here')
  held[1]?.destroy()
  await small.close()
})

test('a failure in the app is a 500', async () => {
  listener.serve(() => Promise.reject(new Error('not expected')))
  expect(statusOf(await answerTo('GET / HTTP/1.1', 'Host: x'))).toBe('HTTP/1.1 500 Internal Server Error')
})

test('a body that comes slowly is cut, save a whole log and a push while bytes arrive @system', async () => {
  const hasty = await listen('127.0.0.1', 0, { bodyMs: 600 })
  hasty.serve(async (request) => new Response(`${(await request.text()).length}`))
  /** Eight bytes, each after a pause. */
  const send = async (path: string, pauseMs: number) => {
    const socket = connect(Number(new URL(hasty.url).port), '127.0.0.1').setEncoding('latin1')
    let text = ''
    socket.on('data', (part: string) => {
      text += part
    })
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
    })
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 8\r\n\r\n`)
    for (let sent = 0; sent < 8 && !socket.destroyed; sent++) {
      socket.write('x')
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    await closed
    return text
  }
  const [log, pushed, silent, stalled, other] = await Promise.all([
    send('/rpc/v2/step/7/logs/upload', 150),
    send('/acme/web.git/git-receive-pack', 150),
    send('/rpc/v2/step/7/logs/upload', 2_000),
    send('/acme/web.git/git-receive-pack', 2_000),
    send('/rpc/v2/step/7/logs/batch', 150),
  ])
  expect(log).toMatch(/200 OK[^]*8$/)
  expect(pushed).toMatch(/200 OK[^]*8$/)
  expect([silent, stalled, other].map((text) => text.includes('200 OK'))).toEqual([false, false, false])
  await hasty.close()
})

describe('a reader that reads nothing', () => {
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  /** A connection that has sent a request, and reads the response only on demand. */
  const ask = (port: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(get)
    return socket
  }

  test('is cut, and what was to be sent is let go; a stream in which nothing happens stays @system', async () => {
    const patient = await listen('127.0.0.1', 0, { stallMs: 2_000 })
    const port = Number(new URL(patient.url).port)
    let endless = 0
    let cancelled = 0
    patient.serve(({ url }) => {
      const isEndless = url.endsWith('/')
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (isEndless) controller.enqueue(new Uint8Array(64 * 1024))
          return isEndless ? undefined : new Promise(() => {})
        },
        cancel() {
          cancelled += 1
        },
      })
      endless += isEndless ? 1 : 0
      return new Response(body)
    })
    const quiet = connect(port, '127.0.0.1')
    quiet.resume().write('GET /quiet HTTP/1.1\r\nHost: x\r\n\r\n')
    const stalled = Array.from({ length: 20 }, () => ask(port).pause())
    await expect.poll(() => [endless, cancelled], { timeout: 15_000 }).toEqual([20, 20])
    expect(quiet.readyState).toBe('open')
    for (const socket of stalled) socket.destroy()
    quiet.destroy()
    await patient.close()
  })

  test('is cut when it takes a little now and then, while one that takes everything stays @system', async () => {
    const chunkBytes = 32 * 1024 * 1024
    const strict = await listen('127.0.0.1', 0, { stallMs: 2_000, minTakenBytes: chunkBytes })
    const port = Number(new URL(strict.url).port)
    let cancelled = 0
    strict.serve(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => controller.enqueue(new Uint8Array(chunkBytes)),
            cancel: () => void (cancelled += 1),
          }),
        ),
    )
    const slow = ask(port).pause()
    let taken = 0
    const trickle = setInterval(() => (taken += (slow.read(64 * 1024) as Buffer | null)?.length ?? 0), 10)
    const quick = ask(port).resume()
    await expect.poll(() => cancelled, { timeout: 20_000 }).toBe(1)
    clearInterval(trickle)
    expect(taken).toBeGreaterThan(0)
    expect(quick.readyState).toBe('open')
    slow.destroy()
    quick.destroy()
    await strict.close()
  })
})
