import { afterEach, beforeEach, expect, test } from 'vitest'
import { updateRepo, findRepo } from '../store/repos.ts'
import { never, openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { OptimisticLockError } from '../lib/refusal.ts'
import { logLines } from '../testing/log-lines.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const change = async (changes: object) => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, ...changes })
}

test('cancel before a runner has it', async () => {
  await bench.push(bench.commit(pipelines({ a: '', b: 'depends_on: [a]' })))
  bench.clock.now += 3
  const answer = await bench.ci.cancel(bench.repo, 1, bench.user)
  expect(answer).toMatchObject({ status: 'killed', started: bench.clock.now, finished: bench.clock.now })
  expect(answer.stages).toMatchObject([
    { status: 'skipped', started: bench.clock.now, stopped: bench.clock.now },
    { status: 'skipped' },
  ])
  expect(bench.events.at(-1)?.build.status).toBe('killed')
  expect(await bench.isIdle()).toBe(true)
})

test('cancel between the hand-out and the acceptance, and between acceptance and start @system', async () => {
  await bench.push(bench.commit(pipelines({ a: '', b: '' })))
  const [a, b] = [await bench.request(), await bench.request()]
  if (!a || !b) throw new Error('no stages')
  const accepted = await bench.ci.runners.accept(b.id, 'bench')
  await bench.ci.cancel(bench.repo, 1, bench.user)
  await expect(bench.ci.runners.accept(a.id, 'bench')).rejects.toThrow(OptimisticLockError)
  await expect(bench.ci.runners.updateStage({ ...accepted, status: 'running' })).rejects.toThrow(OptimisticLockError)
  expect(await bench.statuses(1)).toEqual({ '': 'killed', a: 'skipped', b: 'skipped' })
})

test('cancel of a running step: the last lines are kept, the void report ends its log @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.take(['one', 'two'])
  const [one] = stage.steps
  if (!one) throw new Error('no step')
  const running = await bench.runStep(one)
  const { stages } = await bench.ci.cancel(bench.repo, 1, bench.user)
  expect(stages).toMatchObject([
    {
      status: 'killed',
      exit_code: 0,
      steps: [
        { status: 'killed', exit_code: 130 },
        { status: 'skipped', exit_code: 130 },
      ],
    },
  ])
  await bench.ci.runners.appendLog(one.id, [{ pos: 0, out: 'last words\n', time: 1 }])
  await expect(bench.endStep(running, 'killed')).rejects.toThrow(OptimisticLockError)
  expect(await bench.isSaved(one)).toBe(true)
  await expect(bench.endStage(stage, 'killed')).rejects.toThrow(OptimisticLockError)
  expect(await bench.statuses(1)).toEqual({ '': 'killed', default: 'killed' })
})

test('cancel of a running step whose runner is gone still ends its stream @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.take(['one'])
  const [one] = stage.steps
  if (!one) throw new Error('no step')
  await bench.runStep(one)
  await bench.ci.runners.appendLog(one.id, [{ pos: 0, out: 'so far\n', time: 0 }])
  const lines = bench.ci.logs.follow(one.id, never)
  await bench.ci.cancel(bench.repo, 1, bench.user)
  const seen: string[] = []
  for await (const batch of logLines(lines)) seen.push(...batch.map(({ out }) => out))
  expect(seen).toEqual(['so far\n'])
})

test('cancel and the last report at the same time: one of them wins, wholly @system', async () => {
  for (let round = 1; round <= 5; round++) {
    await bench.push(bench.commit(pipelines({ default: '' })))
    const stage = await bench.take()
    const [cancelled] = await Promise.allSettled([
      bench.ci.cancel(bench.repo, round, bench.user),
      bench.endStage(stage),
    ])
    expect(cancelled.status).toBe('fulfilled')
    const { '': build, default: only } = await bench.statuses(round)
    expect([build, only]).toEqual(build === 'killed' ? ['killed', 'killed'] : ['success', 'success'])
  }
})

test('cancel of a finished build changes nothing @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  await bench.endStage(await bench.take())
  const before = await bench.build(1)
  expect(await bench.ci.cancel(bench.repo, 1, bench.user)).toEqual(before)
  await expect(bench.ci.cancel(bench.repo, 7, bench.user)).rejects.toThrow('sql: no rows in result set')
})

test('a newer push supersedes older ones @system', async () => {
  await change({ auto_cancel_pushes: true })
  const sha = bench.commit(pipelines({ default: '' }))
  await bench.push(sha)
  await bench.take()
  await bench.push(sha)
  await bench.push(sha, { ref: 'refs/heads/other', target: 'other' })
  await bench.startBuild()
  await bench.push(sha)
  expect(await Promise.all([1, 2, 3, 4, 5].map(async (number) => (await bench.build(number)).status))).toEqual([
    'running',
    'skipped',
    'pending',
    'pending',
    'pending',
  ])
  await change({ auto_cancel_running: true })
  await bench.push(sha)
  expect((await bench.build(1)).status).toBe('skipped')
})
