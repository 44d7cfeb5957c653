import { afterEach, beforeEach, expect, test } from 'vitest'
import { createConfigTexts } from './pipeline-config-cache.ts'
import { createKeyedMutex } from '../lib/keyed-mutex.ts'
import { createBuildClocks, type BuildClocks } from './build-clocks.ts'
import { createLogClosers } from './delayed-log-close.ts'
import { createQueue } from './stage-queue.ts'
import { reapBuilds } from './reaper.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { createGit } from '../source/git/git.ts'
import { createRunnerRegistry } from './waiting/runner-registry.ts'
import { createReasons } from './waiting/waiting-reasons.ts'
import { createWatchers } from './build-watchers.ts'
import { createWrites } from '../store/writes.ts'

let bench: Bench
/** No runner asks. */
function quiet() {
  const runnerRegistry = createRunnerRegistry(() => {})
  return { runnerRegistry, reasons: createReasons({ db: bench.db, runnerRegistry, isPaused: () => false }) }
}
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** As after a restart: no build is known to have started. */
const noClocks = (): BuildClocks =>
  createBuildClocks(
    () => bench.clock.now,
    () => () => bench.clock.now,
  )

async function reapAfter(seconds: number, clocks = noClocks()): Promise<void> {
  bench.clock.now += seconds
  const { events, logs } = bench.ci
  await reapBuilds(
    {
      db: bench.db,
      events,
      logs,
      files: bench.files,
      configs: createConfigTexts(),
      git: await createGit({ dataDir: bench.dir, own: [] }),
      queue: createQueue(bench.db),
      ...quiet(),
      watchers: createWatchers(),
      locks: createKeyedMutex(),
      now: () => bench.clock.now,
      clocks,
      writes: createWrites(),
      durable: () => Promise.resolve(),
    },
    createLogClosers(logs, createWrites()),
  )
}
const minute = 60
const day = 24 * 3600
const docker = (more = '') =>
  `---\nkind: pipeline\ntype: docker\nname: image\n${more}\nsteps:\n- name: step\n  image: alpine\n`

test('stale builds are ended', async () => {
  const sha = bench.commit(pipelines({ default: '' }))
  await bench.push(sha)
  await bench.push(sha)
  await bench.take()
  await reapAfter((60 + 29) * minute)
  expect([(await bench.build(1)).status, (await bench.build(2)).status]).toEqual(['running', 'pending'])
  await reapAfter(2 * minute)
  expect([(await bench.build(1)).status, (await bench.build(2)).status]).toEqual(['killed', 'pending'])
  await reapAfter(day)
  expect((await bench.build(2)).status).toBe('killed')
})

test('a build with a stage that no runner takes is ended a day after its last stage, not before @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' }) + docker()))
  await bench.endStage(await bench.take())
  await reapAfter(day)
  expect(await bench.statuses(1)).toEqual({ '': 'running', default: 'success', image: 'pending' })
  await reapAfter(31 * minute)
  expect(await bench.statuses(1)).toEqual({ '': 'killed', default: 'success', image: 'skipped' })
})

test('a stage that only waits has its day from the moment that it may start', async () => {
  await bench.push(bench.commit(pipelines({ default: '' }) + docker('depends_on: [default]')))
  const stage = await bench.take()
  bench.clock.now += 3600
  await bench.endStage(stage)
  await reapAfter(day)
  expect(await bench.statuses(1)).toEqual({ '': 'running', default: 'success', image: 'pending' })
  await reapAfter(31 * minute)
  expect((await bench.build(1)).status).toBe('killed')
})

test('a stage that was taken and never started is ended after the time of its repository', async () => {
  await bench.push(bench.commit(pipelines({ one: '', two: '' })))
  await bench.endStage(await bench.take())
  const taken = await bench.request()
  await bench.ci.runners.accept(taken?.id ?? 0, 'gone')
  await reapAfter((60 + 31) * minute)
  expect(await bench.statuses(1)).toEqual({ '': 'killed', one: 'success', two: 'skipped' })
})

test('a clock that is set forward by an hour ends no build, and its time limit holds @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  await bench.take()
  const { id } = await bench.build(1)
  let passed = 40 * minute
  const clocks = createBuildClocks(
    () => bench.clock.now,
    () => {
      const began = bench.clock.now
      return () => began + passed
    },
  )
  clocks.begin(id)
  await reapAfter(40 * minute + 3600, clocks)
  expect((await bench.build(1)).status).toBe('running')
  passed = (60 + 31) * minute
  await reapAfter(51 * minute, clocks)
  expect((await bench.build(1)).status).toBe('killed')
})
