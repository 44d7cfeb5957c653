/**
 * A large build is settled in memory and written with few statements, because a transaction blocks
 * every other query. The tests count statements: durations are unreliable on a busy machine.
 */
import type { Status } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBuild, purgeBuilds } from '../store/builds.ts'
import { createStages, listStages, updateStage } from '../store/stages.ts'
import { createSteps, listSteps } from '../store/steps.ts'
import { countQueries } from '../testing/count-queries.ts'
import { stageRow } from '../testing/stage-row.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { recoverBuilds } from './recover.ts'
import { advanceBuild } from './advance-build.ts'

const count = countQueries()
let bench: Bench
beforeEach(async () => {
  bench = await openBench({ plugin: count, mergeMs: 3_600_000 })
})
afterEach(() => bench.close())

const range = (length: number) => Array.from({ length }, (_, index) => index)
/** A pushed build with so many stages more, each of which waits for the `width` before it. */
async function largeBuild(stages: number, width: number, status: Status = 'waiting_on_dependencies'): Promise<number> {
  const build = await bench.push(bench.commit(pipelines({ p0: '' })))
  const id = build?.id ?? expect.fail('no build')
  const base = { repo_id: bench.repo.id, build_id: id }
  await createStages(
    bench.db,
    range(stages - 1).map((index) => {
      const needs = range(Math.min(index + 1, width)).map((back) => `p${index - back}`)
      return stageRow({ ...base, number: index + 2, name: `p${index + 1}`, status, depends_on: needs })
    }),
  )
  count.clear()
  return id
}
const written = () =>
  count.of('update stages').queries + count.of('update steps').queries + count.of('UpdateQueryNode').queries
const statuses = async (id: number) => {
  const stages = await listStages(bench.db, id)
  return [...new Set(stages.map(({ status }) => status))]
}

test.each([
  [300, 30, ''],
  [1_000, 90, ' @system'],
])('the first of %i stages with %i dependencies each fails%s', async (stages, width) => {
  const id = await largeBuild(stages, width)
  const first = await bench.take()
  count.clear()
  await bench.endStage(first, 'failure')
  expect(written()).toBeLessThanOrEqual(5)
  expect(count.of('select stages').queries).toBeLessThanOrEqual(10)
  expect(await statuses(id)).toEqual(['failure', 'skipped'])
  expect((await findBuild(bench.db, id))?.status).toBe('failure')
})

test('a stage that hundreds need succeeds, and each of these waits for all before it @system', async () => {
  const id = await largeBuild(1_000, 90)
  const [first] = await listStages(bench.db, id)
  if (first) await updateStage(bench.db, { ...first, status: 'success' })
  count.clear()
  await advanceBuild(bench.db, id, 9, { needs: 'p0' })
  expect(count.of('select stages').queries).toBe(1)
  expect((await listStages(bench.db, id)).filter(({ status }) => status === 'pending').map(({ name }) => name)).toEqual(
    ['p1'],
  )
})

test('it is cancelled @system', async () => {
  const id = await largeBuild(1_000, 90)
  const taken = await bench.take(range(1_000).map((index) => `step ${index}`))
  count.clear()
  await bench.ci.cancel(bench.repo, 1, bench.user)
  // Steps 500 at a time.
  expect(written()).toBeLessThanOrEqual(5)
  expect(await statuses(id)).toEqual(['killed', 'skipped'])
  expect(await listSteps(bench.db, taken.id)).toEqual(
    expect.arrayContaining([expect.objectContaining({ status: 'skipped', exit_code: 130 })]),
  )
})

test('it is declined @system', async () => {
  const id = await largeBuild(1_000, 90, 'blocked')
  const [first] = await listStages(bench.db, id)
  if (first) await updateStage(bench.db, { ...first, status: 'blocked' })
  count.clear()
  await bench.ci.decline(bench.repo, 1, undefined, bench.user)
  expect(written()).toBeLessThanOrEqual(3)
  expect(await statuses(id)).toEqual(['declined'])
})

test('one of its stages is declined that all others need @system', async () => {
  const id = await largeBuild(1_000, 90)
  const [first] = await listStages(bench.db, id)
  if (first) await updateStage(bench.db, { ...first, status: 'blocked' })
  count.clear()
  await bench.ci.decline(bench.repo, 1, 1, bench.user)
  expect(written()).toBeLessThanOrEqual(4)
  expect(await statuses(id)).toEqual(['declined', 'skipped'])
})

test('it is readable, and ended when the server restarts @system', async () => {
  const id = await largeBuild(1_000, 90)
  await bench.take(['one'])
  const findings = async () => (await findBuild(bench.db, id))?.status
  count.clear()
  await recoverBuilds(bench.db, bench.clock.now)
  expect(written()).toBeLessThanOrEqual(5)
  expect(await findings()).toBe('error')
  expect(await statuses(id)).toEqual(['error', 'skipped'])
})

test('a thousand steps begin and end with few statements', async () => {
  await largeBuild(1, 0)
  const names = range(1_000).map((index) => `step ${index}`)
  const stage = await bench.take(names)
  expect(stage.steps.map(({ name }) => name)).toEqual(names)
  expect(count.of('insert steps').queries).toBeLessThanOrEqual(4)
  count.clear()
  await bench.endStage(stage)
  expect(written()).toBeLessThanOrEqual(8)
  expect(
    (await listSteps(bench.db, stage.id)).every(({ status, version }) => status === 'success' && version === 2),
  ).toBe(true)
})

test('it is deleted some hundred steps at a time, and others ask in between @system', async () => {
  const id = await largeBuild(3, 0, 'success')
  for (const { id: stage } of await listStages(bench.db, id)) {
    const step = { step_id: stage, status: 'success', exit_code: 0 } as const
    await createSteps(
      bench.db,
      range(1_000).map((index) => ({ ...step, number: index + 1, name: `s${index}` })),
    )
  }
  const parts: number[] = []
  await purgeBuilds(bench.db, bench.repo.id, 2, async (steps) => {
    parts.push(steps.length)
    // In a transaction this one would wait for its end.
    expect(await findBuild(bench.db, id)).not.toBeNull()
  })
  expect(parts).toEqual([500, 500, 500, 500, 500, 500])
  expect(await findBuild(bench.db, id)).toBeNull()
})
