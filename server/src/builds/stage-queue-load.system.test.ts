/** Load of thousands of waiting stages, measured in rows read instead of time. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStages, type NewStage } from '../store/stages.ts'
import { countQueries, type QueryCount } from '../testing/count-queries.ts'
import { createQueue, type Queue } from './stage-queue.ts'
import { stageRow } from '../testing/stage-row.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import type { RunnerFilter } from '../interfaces/runner.ts'

const count: QueryCount = countQueries()
let bench: Bench
let queue: Queue
beforeEach(async () => {
  bench = await openBench({ plugin: count })
  queue = createQueue(bench.db)
})
afterEach(async () => {
  queue.close()
  await bench.close()
})

async function turns(number: number): Promise<void> {
  for (let turn = 0; turn < number; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
/** A first pending stage, and then so many others. */
async function pushed(total: number, more: Partial<NewStage> = {}): Promise<void> {
  const build = await bench.push(bench.commit(pipelines({ first: '' })))
  const base = { repo_id: bench.repo.id, build_id: build?.id ?? 0 }
  await createStages(
    bench.db,
    Array.from({ length: total }, (_, index) => stageRow({ ...base, number: index + 2, name: `p${index}`, ...more })),
  )
}
const ask = (filter: Partial<RunnerFilter> = {}) => {
  const gone = new AbortController()
  const asked = queue.request({ kind: 'pipeline', type: 'exec', os: 'linux', arch: 'amd64', ...filter }, gone.signal)
  return { asked, leave: () => gone.abort() }
}

test('thousands of stages of another type are not even checked', async () => {
  for (const more of [{ type: 'docker' }, { arch: 'arm64' }, { kind: 'other' }]) {
    await pushed(2_000, more)
    expect((await ask().asked)?.name).toBe('first')
  }
  const { asked, leave } = ask()
  await turns(50)
  count.clear()
  queue.poke()
  await turns(50)
  const { queries, rows } = count.of('select stages')
  expect(queries).toBe(1)
  // Stages that were assigned and that no runner has accepted yet.
  expect(rows).toBe(3)
  leave()
  expect(await asked).toBeNull()
})

test('many checks are done in slices, with other work in between', async () => {
  await pushed(3_000, { labels: { zone: 'a' } })
  count.clear()
  const { asked, leave } = ask({ labels: { zone: 'b' } })
  let between = 0
  for (; count.of('select stages').rows < 3_000; between += 1) await turns(1)
  expect(count.of('select stages').maxRows).toBeLessThanOrEqual(200)
  expect(between).toBeGreaterThanOrEqual(3_000 / 200)
  leave()
  expect(await asked).toBeNull()
})

test('what a limit holds back is counted once, not once for each stage', async () => {
  await pushed(1_000, { name: 'same', limit: 1, throttle: 2_000 })
  expect((await ask().asked)?.name).toBe('first')
  expect((await ask().asked)?.name).toBe('same')
  const { asked, leave } = ask()
  await turns(50)
  count.clear()
  queue.poke()
  await turns(50)
  // Five slices and a last empty one, and what the two limits need in each.
  expect(count.of('select stages').queries).toBeLessThanOrEqual(6 * 4)
  expect(count.of('select stages').rows).toBeLessThanOrEqual(1_001 + 6 * 3)
  leave()
  expect(await asked).toBeNull()
})

test('many wake-ups are one check', async () => {
  const { asked, leave } = ask()
  await turns(10)
  count.clear()
  for (let poke = 0; poke < 1_000; poke += 1) queue.poke()
  await turns(10)
  expect(count.of('select stages').queries).toBe(1)
  leave()
  expect(await asked).toBeNull()
})

test('a build of 500 stages is written in few statements', async () => {
  count.clear()
  const names = Array.from({ length: 500 }, (_, index) => [`p${index}`, ''] as const)
  const build = await bench.push(bench.commit(pipelines(Object.fromEntries(names))))
  expect((await bench.build(build?.number ?? 0)).stages.map(({ number, name }) => `${number} ${name}`)).toEqual(
    names.map(([name], index) => `${index + 1} ${name}`),
  )
  expect(count.of('insert stages').queries).toBeLessThanOrEqual(500 / 50)
})
