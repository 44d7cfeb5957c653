/** How long the steps of a branch took. */
import type { RepoTimes, Status } from '@flightdeck/api'
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

const times = async (query = ''): Promise<RepoTimes> => {
  const [status, body] = await app.answer(`/api/repos/acme/web/times${query}`, { as: 'rae' })
  expect(status).toBe(200)
  return body as RepoTimes
}

/** One build whose steps take this many seconds, one after the other. */
async function run(steps: Record<string, number>, status: Status = 'success', ref = 'refs/heads/main') {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ unit: '' }), String(Math.random())), { ref })
  const stage = await bench.take(Object.keys(steps))
  for (const step of stage.steps) {
    const running = await bench.runStep(step)
    bench.clock.now += steps[step.name] ?? 0
    await bench.endStep(running, status)
  }
  await bench.endStage({ ...stage, steps: [] }, status)
}

it('are those of each run on the branch that is asked for, else on the default branch, the oldest first', async () => {
  await run({ install: 4, test: 10 })
  await run({ install: 5, test: 12 }, 'failure')
  await run({ install: 90 }, 'success', 'refs/heads/side')
  await run({ test: 11 }, 'killed')
  const { branch, builds, steps } = await times()
  expect(branch).toBe('main')
  expect(builds.map(({ number }) => number)).toEqual([1, 2, 4])
  expect(steps).toEqual([
    {
      stage: 'unit',
      step: 'install',
      runs: [
        { build: 1, seconds: 4, passed: true },
        { build: 2, seconds: 5, passed: false },
      ],
    },
    {
      stage: 'unit',
      step: 'test',
      runs: [
        { build: 1, seconds: 10, passed: true },
        { build: 2, seconds: 12, passed: false },
      ],
    },
  ])
  expect(await times('?branch=side')).toMatchObject({
    branch: 'side',
    builds: [{ number: 3 }],
    steps: [{ runs: [{ seconds: 90 }] }],
  })
  expect(await times('?branch=none')).toEqual({ branch: 'none', builds: [], steps: [] })
})

it('do not count again what another build has taken over @system', async () => {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ lint: '', test: '' })))
  await bench.endStage(await bench.take())
  await bench.endStage(await bench.take(), 'failure')
  await bench.ci.again(bench.repo, 1, { only: 'failed' }, bench.user)
  await bench.endStage(await bench.take())
  const runs = (await times()).steps.map(({ stage, runs: all }) => [stage, all.map(({ build }) => build)])
  expect(runs).toEqual([
    ['test', [1, 2]],
    ['lint', [1]],
  ])
})

it('need read access', async () => {
  expect((await app.answer('/api/repos/acme/web/times', {}))[0]).toBe(401)
  expect((await app.answer('/api/repos/acme/web/times', { as: 'otto' }))[0]).toBe(404)
})
