/** Bodies that arrive slowly at the same time: the oldest make room. */
import type { Stage } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, rpcSecret, tokenOf, type TestApp } from '../testing/test-app.ts'
import { pipelines } from '../testing/test-bench.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

/** A request whose body has sent so many bytes and does not end. */
function stalled(path: string, headers: Record<string, string>, bytes: number) {
  let end = () => {}
  let ended = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes).fill(0x20))
      end = () => controller.close()
    },
    cancel: () => void (ended = true),
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' }
  const answer = (async () => app.app.request(path, init))()
  return { answer, isEnded: () => ended, end: () => end() }
}

async function expectRoomFor(count: number, begin: () => ReturnType<typeof stalled>): Promise<void> {
  const bodies = Array.from({ length: count + 1 }, begin)
  const [oldest, ...others] = bodies
  expect((await oldest?.answer)?.status).toBe(503)
  expect(others.filter(({ isEnded }) => isEnded())).toEqual([])
  for (const { end } of others) end()
  for (const { answer } of others) expect((await answer).status).not.toBe(503)
}

const megabyte = 1024 * 1024

test('people’s bodies hold 64 MiB at most', async () => {
  const headers = { Authorization: `Bearer ${tokenOf('ann')}` }
  await expectRoomFor(64, () => stalled('/api/repos/acme/web/secrets', headers, megabyte))
})

test('runners’ bodies hold 128 MiB at most @system', async () => {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ default: '' })))
  const headers = { 'X-Drone-Token': rpcSecret }
  const taken = await app.app.request('/rpc/v2/stage', { method: 'POST', body: '{"type":"exec"}', headers })
  const { id } = (await taken.json()) as Stage
  await expectRoomFor(16, () => stalled(`/rpc/v2/step/${id}/logs/batch`, headers, 8 * megabyte))
})
