import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'

const holdMs = 300
let app: TestApp
let closed: TestApp
beforeAll(async () => {
  app = await createTestApp({ holdMs })
  closed = await createTestApp({ holdMs, rpcSecret: undefined })
})
afterAll(async () => {
  await app.close()
  await closed.close()
})

const calls = [
  ['POST', '/rpc/v2/ping'],
  ['POST', '/rpc/v2/stage'],
  ['POST', '/rpc/v2/stage/1?machine=a'],
  ['GET', '/rpc/v2/stage/1'],
  ['PUT', '/rpc/v2/stage/1'],
  ['PUT', '/rpc/v2/step/1'],
  ['POST', '/rpc/v2/build/1/watch'],
  ['POST', '/rpc/v2/step/1/logs/batch'],
  ['POST', '/rpc/v2/step/1/logs/upload'],
  ['POST', '/rpc/v2/step/1/card'],
  ['GET', '/rpc/v2/nope'],
] as const

const ask = async (to: TestApp, method: string, path: string, token?: string) => {
  const began = performance.now()
  const response = await to.request(path, { method, headers: token === undefined ? {} : { 'X-Drone-Token': token } })
  return { status: response.status, text: await response.text(), ms: performance.now() - began }
}

describe('a runner without the secret', () => {
  it.each(calls)('is refused, and not at once: %s %s', async (method, path) => {
    const tokens = [undefined, '', 'wrong', rpcSecret.slice(0, -1), `${rpcSecret} `.padEnd(40, 'x')]
    const answers = await Promise.all(tokens.map((token) => ask(app, method, path, token)))
    for (const { status, text, ms } of answers) {
      expect([status, text]).toEqual([401, ''])
      expect(ms).toBeGreaterThan(holdMs - 20)
    }
  })

  it('hears 403 from a server that has none @system', async () => {
    for (const token of [undefined, '', rpcSecret]) {
      const { status, text, ms } = await ask(closed, 'POST', '/rpc/v2/stage', token)
      expect([status, text]).toEqual([403, ''])
      expect(ms).toBeGreaterThan(holdMs - 20)
    }
  })

  it('is named in the log, once however often it asks @system', async () => {
    const messages: string[] = []
    const fresh = await createTestApp({ holdMs: 1, log: (message) => messages.push(message) })
    for (let i = 0; i < 5; i += 1) await ask(fresh, 'POST', '/rpc/v2/ping', 'wrong')
    expect(messages).toEqual([
      expect.stringMatching(
        /^a runner at \S* sent a wrong secret \(DRONE_RPC_SECRET must match the file of --rpc-secret-file\)$/,
      ),
    ])
    await fresh.close()
  })

  it('is let go when it goes', async () => {
    // Held for longer than a test may last.
    const patient = await createTestApp({ holdMs: 600_000 })
    await patient.app.request('/rpc/v2/stage', { method: 'POST', signal: AbortSignal.timeout(10) })
    await patient.close()
  })

  it('is sent away for ten seconds when there are too many @system', async () => {
    const many = await Promise.all(Array.from({ length: 520 }, () => ask(app, 'POST', '/rpc/v2/stage', 'wrong')))
    const statuses = many.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(500)
    expect(statuses.filter((status) => status === 503)).toHaveLength(20)
  })
})

it('a poll that fails is answered later, too', async () => {
  const began = performance.now()
  const headers = { 'X-Drone-Token': rpcSecret }
  const response = await app.request('/rpc/v2/stage', { method: 'POST', headers, body: 'nonsense' })
  expect([response.status, await response.text()]).toEqual([
    500,
    "invalid character 'o' in literal null (expecting 'u')",
  ])
  expect(performance.now() - began).toBeGreaterThan(holdMs - 20)
})

/**
 * docs/api §0 "wrong method", which applies everywhere; the last two are not routes
 * (recordings/rpc/by-hand.json).
 */
it.each([
  ['GET', '/rpc/v2/ping', 405, ''],
  ['GET', '/rpc/v2/stage', 405, ''],
  ['DELETE', '/rpc/v2/stage/1', 405, ''],
  ['HEAD', '/rpc/v2/stage/1', 405, ''],
  ['POST', '/rpc/v2/step/1', 405, ''],
  ['GET', '/rpc/v2/build/1/watch', 405, ''],
  ['PUT', '/rpc/v2/step/1/logs/batch', 405, ''],
  ['GET', '/rpc/v2/step/1/logs/upload', 405, ''],
  ['GET', '/rpc/v2/step/1/card', 405, ''],
  ['POST', '/rpc/v2/nodes/hand', 404, '404 page not found\n'],
  ['GET', '/rpc/v2/nope', 404, '404 page not found\n'],
])('a runner that asks %s %s hears %i', async (method, path, status, text) => {
  const response = await app.request(path, { method, headers: { 'X-Drone-Token': rpcSecret } })
  expect([response.status, await response.text(), response.headers.get('allow')]).toEqual([status, text, null])
})
