/** The calls of the retention, through the whole server. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { saveLogsFrom } from '../store/retention.ts'
import { createSteps } from '../store/steps.ts'
import { pipelines } from '../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const path = '/api/repos/acme/web/retention'
const change = (json: unknown, as: 'ann' | 'wes' = 'ann') => app.request(path, { as, method: 'PATCH', json })

test('administrators set limits, writers read them, readers do neither', async () => {
  const changed = await change({ build_days: 90, log_mb: 0 })
  expect(changed.status).toBe(200)
  expect(await changed.json()).toMatchObject({ own: { build_days: 90, builds: -1, log_days: -1, log_mb: 0 } })
  expect(await (await app.request(path, { as: 'wes' })).json()).toMatchObject({ own: { build_days: 90 }, last: null })
  expect((await change({ build_days: 1 }, 'wes')).status).toBe(404)
  expect((await app.request(path, { as: 'rae' })).status).toBe(404)
  expect((await app.request(path)).status).toBe(401)
})

test.each([
  [{ build_days: -2 }, 'build_days must be'],
  [{ builds: 1.5 }, 'cannot unmarshal'],
  [{ log_days: 40_000 }, 'log_days must be'],
  [{ log_mb: '5' }, 'cannot unmarshal'],
  [[], 'cannot unmarshal'],
])('%j is refused with a reason and changes nothing', async (body, reason) => {
  const answer = await change(body)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { message: string }).message).toContain(reason)
  expect(await (await app.request(path, { as: 'ann' })).json()).toMatchObject({ own: { builds: -1, log_mb: -1 } })
})

test('a log that was removed says so @system', async () => {
  const { bench } = app
  bench.commit(pipelines({ unit: '' }))
  await bench.startBuild()
  await createSteps(bench.db, [{ number: 1, name: 'test', status: 'success', exit_code: 0, step_id: 1 }])
  const log = '/api/repos/acme/web/builds/1/logs/1/1'
  const [status, before] = await app.answer(log, { as: 'ann' })
  expect([status, before]).toEqual([404, { message: 'sql: no rows in result set' }])
  await saveLogsFrom(bench.db, bench.repo.id, 2)
  expect(await app.answer(log, { as: 'ann' })).toEqual([
    404,
    { message: 'This log was removed: the repository keeps logs for a limited time' },
  ])
})
