import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listen, type Listener } from './listener.ts'

let listener: Listener
let served: string[]
let maxOpen: number
beforeEach(async () => {
  listener = await listen('127.0.0.1', 0)
  served = []
  let open = 0
  maxOpen = 0
  listener.serve(async (request) => {
    open += 1
    maxOpen = Math.max(maxOpen, open)
    const { pathname } = new URL(request.url)
    const text = await request.text()
    served.push(pathname)
    await new Promise(setImmediate)
    open -= 1
    return new Response(`answer ${pathname} ${text.length};`)
  })
})
afterEach(() => listener.close())

interface Client {
  socket: Socket
  answers: () => string[]
}

async function open(): Promise<Client> {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (part: string) => (text += part)).on('error', () => {})
  await once(socket, 'connect')
  return { socket, answers: () => Array.from(text.matchAll(/answer (\S+ \d+);/g), ([, answer]) => answer ?? '') }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const count = (length: number, one: (index: number) => string) => Array.from({ length }, (_, index) => one(index))

describe('requests that a connection pipelines', () => {
  it('are answered in their order, one at a time', async () => {
    const { socket, answers } = await open()
    socket.write(count(500, (index) => get(`/${index}`)).join(''))
    await expect.poll(() => answers().length, { timeout: 30_000 }).toBe(500)
    expect(answers()).toEqual(count(500, (index) => `/${index} 0`))
    expect(maxOpen).toBe(1)
    socket.destroy()
  })

  it('come with bodies of any content and size, in pieces of any size', async () => {
    const bodies = ['', '\r\n\r\n'.repeat(1_000), 'a'.repeat(300_000), get('/inner'), '\r\n\r', 'b'.repeat(70_000)]
    const bytes = [...bodies.map((body, index) => post(`/${index}`, body)), get('/end')].join('')
    for (const pieceBytes of [bytes.length, 1_000, 16_385]) {
      const { socket, answers } = await open()
      socket.setNoDelay()
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        socket.write(bytes.slice(at, at + pieceBytes))
        await new Promise(setImmediate)
      }
      const expected = [...bodies.map((body, index) => `/${index} ${body.length}`), '/end 0']
      await expect.poll(answers, { timeout: 30_000 }).toEqual(expected)
      socket.destroy()
    }
  })

  it('leave other connections their turn @system', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, open))
    const probe = await open()
    for (const { socket } of clients) socket.write(get('/many').repeat(500))
    await expect.poll(() => served.length).toBeGreaterThan(0)
    const servedAtSend = served.length
    probe.socket.write(get('/probe'))
    await expect.poll(() => probe.answers().length).toBe(1)
    const servedBefore = served.indexOf('/probe') - servedAtSend
    // Each connection had only a small part of its 500 requests answered in the meantime.
    expect(servedBefore).toBeLessThan(2_000)
    for (const { socket } of [...clients, probe]) socket.destroy()
  })

  it('leave a connection of many requests its share beside others @system', async () => {
    const [one, two] = [await open(), await open()]
    one.socket.write(get('/one').repeat(500))
    two.socket.write(get('/two').repeat(500))
    await expect.poll(() => served.length, { timeout: 30_000 }).toBe(1_000)
    const middle = served.slice(0, 600)
    expect(middle.filter((path) => path === '/two').length).toBeGreaterThan(100)
    one.socket.destroy()
    two.socket.destroy()
  })

  it('come after others if they ask for logs or streams', async () => {
    const bulk = ['/api/repos/a/b/builds/1/logs/1/1', '/api/stream', '/api/stream?x=1', '/api/stream/a/b/1/1/1']
    listener.serve((request) => {
      served.push(new URL(request.url).pathname)
      // What a call costs before it waits for anything.
      for (const beganMs = performance.now(); performance.now() - beganMs < 2;);
      return new Response('answer / 0;')
    })
    const clients = await Promise.all(Array.from({ length: 40 }, open))
    const probe = await open()
    // Until the server has accepted all of them.
    for (const { socket } of [...clients, probe]) socket.write(get('/'))
    await expect.poll(() => served.length).toBe(41)
    served = []
    for (const [index, { socket }] of clients.entries()) socket.write(get(bulk[index % bulk.length] ?? ''))
    probe.socket.write(get('/probe'))
    await expect.poll(() => served.length).toBe(41)
    expect(served.indexOf('/probe')).toBeLessThan(20)
    for (const { socket } of [...clients, probe]) socket.destroy()
  })

  it('for streams wait until the connections that arrive with them are accepted', async () => {
    listener.serve((request) => {
      served.push(new URL(request.url).pathname)
      for (const beganMs = performance.now(); performance.now() - beganMs < 2;);
      return new Response('answer / 0;')
    })
    // The system completes these connections long before the server has accepted them.
    const clients = await Promise.all(Array.from({ length: 200 }, open))
    for (const { socket } of clients) socket.write(get('/api/stream'))
    const probe = await open()
    probe.socket.write(get('/probe'))
    await expect.poll(() => served.length, { timeout: 30_000 }).toBe(201)
    expect(served.indexOf('/probe')).toBeLessThan(40)
    for (const { socket } of [...clients, probe]) socket.destroy()
  })

  it('for streams are answered while connections keep arriving', async () => {
    listener.serve((request) => {
      served.push(new URL(request.url).pathname)
      return new Response('answer / 0;')
    })
    const stream = await open()
    stream.socket.write(get('/api/stream'))
    const sockets: Socket[] = []
    const over = new AbortController()
    const arriving = (async () => {
      while (!over.signal.aborted) {
        sockets.push(connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => {}))
        await new Promise(setImmediate)
        if (sockets.length > 100) sockets.shift()?.destroy()
      }
    })()
    await expect.poll(() => stream.answers().length).toBe(1)
    over.abort()
    await arriving
    for (const socket of [...sockets, stream.socket]) socket.destroy()
  })

  it('are dropped behind an unanswered one when the client leaves, which its answer hears', async () => {
    let isCancelled = false
    let begun = 0
    listener.serve(() => {
      begun += 1
      return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }))
    })
    const { socket } = await open()
    socket.end(get('/stream') + get('/behind'))
    await expect.poll(() => isCancelled).toBe(true)
    expect(begun).toBe(1)
  })
})
