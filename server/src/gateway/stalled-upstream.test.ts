/** A server that starts an answer and never ends it, or sends an unrequested one. */
import { createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { requestAs, personOf } from './viewer-request.ts'
import { createUpstream, type Upstream } from './upstream.ts'

const open: { server: Server; upstream: Upstream }[] = []
afterEach(() => {
  for (const { server, upstream } of open.splice(0)) {
    upstream.close()
    server.close()
  }
})

/**
 * It sends this to each connection, and no more; `ended` counts the connections that were closed.
 */
async function speaker(words: string) {
  const seen = { ended: 0 }
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('close', () => (seen.ended += 1))
    socket.once('data', () => socket.write(words))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('not listening')
  const upstream = createUpstream(`http://127.0.0.1:${address.port}`, {
    timeouts: { check: 200, read: 300, change: 300 },
  })
  open.push({ server, upstream })
  return { upstream, seen }
}
const ann = personOf({ cookie: '_session_=ann' }) ?? expect.fail('nobody')
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'

it('a question of our own is given up when the answer never ends', async () => {
  const { upstream, seen } = await speaker(`${head}[`)
  await expect(requestAs(upstream, ann, '/api/user/builds/recent')).rejects.toThrow('timed out')
  await expect.poll(() => seen.ended).toBe(1)
})

it('so is the unread body of a refusal', async () => {
  const { upstream, seen } = await speaker(`${head.replace('200 OK', '401 Unauthorized')}{`)
  await expect(requestAs(upstream, ann, '/api/user/builds/recent')).rejects.toThrow('the server answered 401')
  await expect.poll(() => seen.ended).toBe(1)
})

it('an unrequested change of protocols is no answer', async () => {
  const { upstream, seen } = await speaker(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  )
  await expect(upstream.send({ method: 'GET', target: '/', headers: {} })).rejects.toThrow(
    'closed the connection unexpectedly',
  )
  await expect.poll(() => seen.ended).toBe(1)
})
