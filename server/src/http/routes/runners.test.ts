/** Runners and the queue, as administrators see them. */
import type { Runners, Stage } from '@flightdeck/api'
import * as schema from '@flightdeck/api/schema'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAnswer } from '../../conformance/live-server.ts'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ pollMs: 20, trustProxy: true })
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const state = async (): Promise<Runners> => {
  const [status, body] = await app.answer('/api/runners', { as: 'boss' })
  expect(status).toBe(200)
  const answer = schema.findEndpoint('GET', '/api/runners')?.answer ?? expect.fail('no such call')
  return expectAnswer(answer, body) as Runners
}
const as = (address: string, agent: string) => ({
  'X-Drone-Token': rpcSecret,
  'X-Forwarded-For': address,
  'User-Agent': agent,
})
const poll = (filter: object, address: string, agent = 'Go-http-client/1.1') =>
  app.request('/rpc/v2/stage', { method: 'POST', body: JSON.stringify(filter), headers: as(address, agent) })
/** As a runner does: a poll that ends without a stage is followed by the next one. */
const take = async (...call: Parameters<typeof poll>): Promise<Response> => {
  const response = await poll(...call)
  return response.status === 204 ? take(...call) : response
}
const exec = { kind: 'pipeline', type: 'exec' }

it('returns runners, their filters and stages, and the queue', async () => {
  const { bench } = app
  expect(await state()).toEqual({
    paused: false,
    runners: [],
    queue: [],
    total: 0,
    rpc: { proto: 'http', host: 'ci.example.com', secret: true },
  })
  await poll({ ...exec, os: 'linux', arch: 'arm64', labels: { zone: 'a' } }, '192.0.2.7', 'our-runner/1.2')
  bench.commit(pipelines({ first: '', second: 'concurrency: {limit: 1}' }))
  await bench.startBuild()
  const stage = (await (await take(exec, '192.0.2.8')).json()) as Stage
  await app.request(`/rpc/v2/stage/${stage.id}?machine=far`, { method: 'POST', headers: as('192.0.2.8', '') })
  const first = { namespace: 'acme', name: 'web', build: 1, stage: 1, stage_name: 'first', machine: 'far' }
  expect(await state()).toMatchObject({
    runners: [
      {
        builtin: false,
        address: '192.0.2.7',
        machines: [],
        version: 'our-runner/1.2',
        filter: { type: 'exec', os: 'linux', arch: 'arm64', labels: { zone: 'a' } },
        present: true,
        asked: bench.clock.now,
        places: 1,
        busy: 0,
        runs: [],
      },
      { address: '192.0.2.8', machines: ['far'], version: '', filter: { type: 'exec' }, busy: 1, runs: [first] },
    ],
    queue: [
      { ...first, waiting: { reason: 'start', machine: 'far' } },
      { stage_name: 'second', machine: '', waiting: { reason: 'place', position: 1, busy: 1, places: 1 } },
    ],
    total: 2,
  })
  bench.clock.now += 90
  const later = await state()
  expect(later.runners.map(({ present, asked }) => [present, bench.clock.now - asked])).toEqual([
    [false, 90],
    [true, 90],
  ])
  await app.answer('/api/queue', { as: 'boss', method: 'DELETE' })
  expect((await state()).paused).toBe(true)
  await app.answer('/api/queue', { as: 'boss', method: 'POST' })
  expect((await state()).paused).toBe(false)
})

it('counts no place twice: a runner that is done and asks again has one, also after a cancel @system', async () => {
  const { bench } = app
  for (const cancel of [false, true]) {
    bench.commit(pipelines({ only: '' }))
    const build = await bench.startBuild()
    const from = as('192.0.2.10', '')
    const stage = (await (await take({ ...exec, os: 'linux', arch: 'amd64' }, '192.0.2.10', '')).json()) as Stage
    const address = `/rpc/v2/stage/${stage.id}`
    const accepted = (await (
      await app.request(`${address}?machine=one`, { method: 'POST', headers: from })
    ).json()) as Stage
    if (cancel) await bench.ci.cancel(bench.repo, build?.number ?? 0, bench.user)
    const report = { ...accepted, status: 'success', started: 1, stopped: 2, steps: [] }
    await app.request(address, { method: 'PUT', body: JSON.stringify(report), headers: from })
    await app.answer('/api/queue', { as: 'boss', method: 'DELETE' })
    await poll({ ...exec, os: 'linux', arch: 'amd64' }, '192.0.2.10', '')
    await app.answer('/api/queue', { as: 'boss', method: 'POST' })
    const one = (await state()).runners.find((runner) => runner.address === '192.0.2.10')
    expect(one).toMatchObject({ places: 1, busy: 0 })
  }
})

it('remembers the built-in runner as such', async () => {
  const gone = new AbortController()
  const asked = app.bench.ci.runners.request({ ...exec, os: 'plan9', arch: 'amd64' }, gone.signal)
  expect((await state()).runners.at(-1)).toMatchObject({ builtin: true, address: '', version: '1.2.3', places: 1 })
  gone.abort()
  await asked
})

it('keeps at most 200 polling runners @system', async () => {
  const polls = Array.from({ length: 250 }, (_, index) => poll({ ...exec, labels: { at: `${index}` } }, '192.0.2.9'))
  await Promise.all(polls)
  await poll({ ...exec, labels: { at: 'last' } }, '192.0.2.9')
  await Promise.all(
    polls.slice(0, 100).map((_, index) => poll({ ...exec, labels: { again: `${index}` } }, '192.0.2.9')),
  )
  const { runners } = await state()
  expect(runners.length).toBeLessThanOrEqual(201)
  // A runner with a stage is not dropped for those that only ask.
  expect(runners.some(({ machines }) => machines.includes('far'))).toBe(true)
})

it('shows the secret to administrators, when they ask for it', async () => {
  expect(JSON.stringify(await state())).not.toContain(rpcSecret)
  const response = await app.request('/api/runners/secret', { as: 'boss' })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ secret: rpcSecret })
  for (const as of ['ann', 'wes', 'robot'] as const) {
    for (const path of ['/api/runners', '/api/runners/secret']) {
      expect(await app.answer(path, { as })).toEqual([403, { message: 'Forbidden' }])
    }
  }
  expect((await app.answer('/api/runners/secret'))[0]).toBe(401)
})

it('says that there is no secret', async () => {
  const other = await createTestApp({ rpcSecret: undefined })
  expect((await other.answer('/api/runners', { as: 'boss' }))[1]).toMatchObject({ rpc: { secret: false } })
  expect(await other.answer('/api/runners/secret', { as: 'boss' })).toEqual([
    404,
    { message: 'This server has no secret for runners' },
  ])
  await other.close()
})
