/**
 * Cost of waiting reasons with a thousand waiting stages, measured in rows read and event loop
 * turns.
 */
import type { Stage } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStages } from '../../store/stages.ts'
import { countQueries } from '../../testing/count-queries.ts'
import { stageRow } from '../../testing/stage-row.ts'
import { openBench, pipelines, type Bench } from '../../testing/test-bench.ts'

const count = countQueries()
let bench: Bench
beforeAll(async () => {
  bench = await openBench({ plugin: count })
  const build = await bench.push(bench.commit(pipelines({ first: '' })))
  const base = { repo_id: bench.repo.id, build_id: build?.id ?? 0, type: 'docker' }
  await createStages(
    bench.db,
    Array.from({ length: 5_000 }, (_, index) => stageRow({ ...base, number: index + 2, name: `p${index}` })),
  )
})
afterAll(() => bench.close())

test('five thousand waiting stages are judged without holding the event loop', async () => {
  const ask = () => bench.ci.stagesWithReasons([{ status: 'pending' } as Stage])
  await ask()
  // Measured by what one turn reads: the clock would include garbage collection.
  count.clear()
  let seen = 0
  let max = 0
  let watching = true
  const watch = () => {
    const { rows } = count.of('select stages')
    max = Math.max(max, rows - seen)
    seen = rows
    if (watching) setImmediate(watch)
  }
  bench.ci.resumeQueue()
  watch()
  await ask()
  watching = false
  watch()
  expect(seen).toBeGreaterThanOrEqual(5_001)
  expect(max).toBeLessThanOrEqual(1_000)
})

test('long texts from pushes are neither read nor sent again', async () => {
  const long = 'x'.repeat(200_000)
  const labels = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`l${index}`, long.slice(0, 200)]))
  const file = { name: long, os: long, labels: JSON.stringify(labels) }
  await bench.db
    .updateTable('stages')
    .set({ stage_name: file.name, stage_os: file.os, stage_labels: file.labels })
    .where('stage_number', '=', 2)
    .execute()
  bench.ci.resumeQueue()
  const queue = await bench.ci.runnersState('')
  const { id } = await bench.db
    .selectFrom('stages')
    .select('stage_id as id')
    .where('stage_number', '=', 2)
    .executeTakeFirstOrThrow()
  const [told] = await bench.ci.stagesWithReasons([{ id, status: 'pending' } as Stage])
  expect(told?.waiting?.reason).toBe('runner')
  expect(JSON.stringify(told).length).toBeLessThan(1_000)
  expect(JSON.stringify(queue.queue.slice(0, 3)).length).toBeLessThan(5_000)
})

test('a thousand readers of a changing queue share a few checks', async () => {
  const stages = [{ status: 'pending' } as Stage]
  count.clear()
  await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => {
      if (index % 10 === 0) bench.ci.resumeQueue()
      return bench.ci.stagesWithReasons(stages)
    }),
  )
  // Two reads of 5,001 stages, in batches of 500.
  expect(count.of('select stages').rows).toBeLessThanOrEqual(2 * 5_001)
})
