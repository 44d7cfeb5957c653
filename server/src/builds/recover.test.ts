import { afterEach, beforeEach, expect, test } from 'vitest'
import { findRepo, updateRepo } from '../store/repos.ts'
import { restartText } from '../interfaces/runner.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

test('a build that ran when the server died ends as an error, keeps its log, and can be restarted', async () => {
  await bench.push(bench.commit(pipelines({ a: '', b: '', c: 'depends_on: [a]' })))
  const stage = await bench.take(['one', 'two'])
  const [one] = stage.steps
  if (!one) throw new Error('no step')
  await bench.runStep(one)
  await bench.ci.runners.appendLog(one.id, [{ pos: 0, out: 'hello\n', time: 0 }])
  bench.clock.now += 60
  await bench.restartServer()
  const build = await bench.build(1)
  expect(build).toMatchObject({ status: 'error', error: restartText, finished: bench.clock.now })
  expect(build.stages).toMatchObject([
    {
      status: 'error',
      error: restartText,
      stopped: bench.clock.now,
      steps: [{ status: 'error', error: restartText, stopped: bench.clock.now }, { status: 'skipped' }],
    },
    { status: 'skipped' },
    { status: 'skipped' },
  ])
  expect(await bench.isSaved(one)).toBe(true)
  expect(await bench.isIdle()).toBe(true)
  await bench.ci.restart(bench.repo, 1, { debug: false, params: {} }, bench.user)
  await bench.endStage(await bench.take())
  expect((await bench.build(2)).stages[0]?.status).toBe('success')
})

test('a stage that a runner had taken but not started counts as at work', async () => {
  await bench.push(bench.commit(pipelines({ a: '' })))
  const stage = await bench.request()
  await bench.ci.runners.accept(stage?.id ?? 0, 'bench')
  await bench.restartServer()
  expect(await bench.statuses(1)).toEqual({ '': 'error', a: 'error' })
})

test('waiting stages continue', async () => {
  await bench.push(bench.commit(pipelines({ a: '', b: 'depends_on: [a]' })))
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, protected: true })
  await bench.push(bench.commit(pipelines({ a: '' })))
  await bench.restartServer()
  expect(await bench.statuses(1)).toEqual({ '': 'pending', a: 'pending', b: 'waiting_on_dependencies' })
  expect(await bench.statuses(2)).toEqual({ '': 'pending', a: 'blocked' })
  await bench.endStage(await bench.take())
  // Between two stages, no stage is running either.
  await bench.restartServer()
  await bench.endStage(await bench.take())
  expect(await bench.statuses(1)).toEqual({ '': 'success', a: 'success', b: 'success' })
})
