/** How long a step usually takes. */
import type { Status, UsualTimes } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const usual = async (number: number): Promise<UsualTimes> => {
  const [status, body] = await app.answer(`/api/repos/acme/web/builds/${number}/usual`, { as: 'wes' })
  expect(status).toBe(200)
  return body as UsualTimes
}
/** One build of one step that takes so many seconds. */
async function run(seconds: number, status: Status = 'success', ref = 'refs/heads/main') {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ unit: '' })), { ref })
  const stage = await bench.take()
  const [step] = stage.steps
  if (!step) throw new Error('no step')
  const running = await bench.runStep(step)
  bench.clock.now += seconds
  const ended = await bench.endStep(running, status)
  await bench.endStage({ ...stage, steps: [ended] }, status)
}

it('is the median of what passed on this branch before, with the range of most', async () => {
  for (const seconds of [10, 30, 20, 40]) await run(seconds)
  await run(900, 'failure')
  await run(500, 'success', 'refs/heads/other')
  await run(70)
  const { steps, build } = await usual(7)
  expect(steps).toEqual([{ stage: 'unit', step: 'step', count: 4, median: 20, low: 10, high: 40 }])
  expect(build).toEqual({ count: 4, median: 20, low: 10, high: 40 })
})

it('needs at least three runs, and ignores reused ones @system', async () => {
  await run(10)
  await run(20)
  expect(await usual(2)).toEqual({ steps: [] })
  const { bench } = app
  await bench.push(bench.commit(pipelines({ lint: '', test: '' })))
  await bench.endStage(await bench.take())
  for (const number of [3, 4, 5]) {
    await bench.endStage(await bench.take(), 'failure')
    await bench.ci.again(bench.repo, number, { only: 'failed' }, bench.user)
  }
  // The step that ran once is part of four builds.
  expect((await usual(6)).steps).toEqual([])
})

it('forgets what is more than twenty builds ago @system', async () => {
  for (let time = 0; time < 3; time++) await run(500)
  for (let time = 0; time < 20; time++) await run(5)
  await run(6)
  expect((await usual(24)).steps).toMatchObject([{ count: 20, median: 5, high: 5 }])
})

it('needs read access', async () => {
  await run(1)
  expect((await app.answer('/api/repos/acme/web/builds/1/usual', {}))[0]).toBe(401)
  expect((await app.answer('/api/repos/acme/web/builds/9/usual', { as: 'wes' }))[0]).toBe(404)
})
