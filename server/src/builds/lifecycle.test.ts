import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSecret } from '../store/secrets.ts'
import { listLatest } from '../store/latest.ts'
import { listSteps } from '../store/steps.ts'
import { never, openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { OptimisticLockError } from '../lib/refusal.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

test('a build from push to success', async () => {
  const sha = bench.commit(pipelines({ default: '' }))
  const created = await bench.push(sha)
  expect(created).toMatchObject({ number: 1, status: 'pending', trigger: '@hook', after: sha, started: 0, version: 1 })
  expect(created).not.toHaveProperty('stages')
  expect(bench.events.map((event) => event.build.status)).toEqual(['pending'])

  const stage = await bench.take(['clone', 'test'])
  expect(stage).toMatchObject({ status: 'running', machine: 'bench', version: 3, repo_id: bench.repo.id })
  expect(stage.steps).toMatchObject([
    { name: 'clone', version: 1, step_id: stage.id },
    { name: 'test', version: 1 },
  ])
  expect(await bench.build(1)).toMatchObject({ status: 'running', started: bench.clock.now })

  const [clone, second] = stage.steps
  if (!clone || !second) throw new Error('no steps')
  const running = await bench.runStep(clone)
  expect(running.version).toBe(2)
  await bench.ci.runners.appendLog(clone.id, [{ pos: 0, out: 'hello\n', time: 0 }])
  expect(await bench.isSaved(clone)).toBe(false)
  expect(await bench.endStep(running)).toMatchObject({ status: 'success', version: 3 })
  expect(await bench.isSaved(clone)).toBe(true)
  await expect(bench.ci.runners.appendLog(clone.id, [])).rejects.toThrow('stream: not found')

  bench.clock.now += 5
  const last = await bench.endStep(await bench.runStep(second))
  expect(await bench.endStage({ ...stage, steps: [last] })).toMatchObject({ status: 'success', version: 4 })
  expect(await bench.build(1)).toMatchObject({ status: 'success', finished: bench.clock.now, version: 3 })
  expect(bench.events.at(-1)?.build).toMatchObject({ status: 'success', stages: [{ status: 'success' }] })
  // Each event has the stored state, in order.
  const versions = bench.events.map((event) => event.build.version)
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  expect(await listLatest(bench.db, bench.repo.id, 'branch')).toHaveLength(1)
})

test('a second runner is too late', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.request()
  if (!stage) throw new Error('no stage')
  await bench.ci.runners.accept(stage.id, 'a')
  await expect(bench.ci.runners.accept(stage.id, 'b')).rejects.toThrow(OptimisticLockError)
  await expect(bench.ci.runners.updateStage({ ...stage, status: 'running' })).rejects.toThrow('Optimistic Lock Error')
  await expect(bench.ci.runners.accept(999, 'a')).rejects.toThrow('sql: no rows in result set')
})

test('stale reports are refused, and a repeated start keeps the steps @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.take()
  const [step] = stage.steps
  if (!step) throw new Error('no step')
  await bench.runStep(step)
  await expect(bench.runStep(step)).rejects.toThrow(OptimisticLockError)
  await expect(bench.ci.runners.updateStage({ ...stage, version: stage.version - 1 })).rejects.toThrow(
    OptimisticLockError,
  )
  const again = await bench.ci.runners.updateStage({ ...stage, status: 'running' })
  expect(again.steps).toEqual(await listSteps(bench.db, stage.id))
  expect(again.steps).toHaveLength(stage.steps.length)
  const done = await bench.endStage(again)
  await expect(bench.endStage(done)).rejects.toThrow(OptimisticLockError)
})

test('stages wait for what they depend on @system', async () => {
  const after = 'depends_on: [a, b]'
  await bench.push(bench.commit(pipelines({ a: '', b: '', c: after })))
  expect(await bench.statuses(1)).toEqual({ '': 'pending', a: 'pending', b: 'pending', c: 'waiting_on_dependencies' })
  const [a, b] = [await bench.take(), await bench.take()]
  await bench.endStage(a)
  expect(await bench.isIdle()).toBe(true)
  await bench.endStage(b)
  expect(await bench.statuses(1)).toMatchObject({ '': 'running', c: 'pending' })
  await bench.endStage(await bench.take())
  expect(await bench.statuses(1)).toEqual({ '': 'success', a: 'success', b: 'success', c: 'success' })
})

test('after a failure stages are skipped, save those that want it', async () => {
  await bench.push(
    bench.commit(
      pipelines({
        a: '',
        b: 'depends_on: [a]',
        c: 'depends_on: [b]',
        tell: 'depends_on: [a]\ntrigger: {status: [failure]}',
      }),
    ),
  )
  await bench.endStage(await bench.take(), 'failure')
  expect(await bench.statuses(1)).toEqual({ '': 'running', a: 'failure', b: 'skipped', c: 'skipped', tell: 'pending' })
  await bench.endStage(await bench.take())
  expect(await bench.statuses(1)).toMatchObject({ '': 'failure', tell: 'success' })
})

test('a stage that ends takes its unfinished steps and their logs along', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.take(['one', 'two'])
  const [one, two] = stage.steps
  if (!one || !two) throw new Error('no steps')
  await bench.runStep(one)
  await bench.ci.runners.updateStage({ ...stage, status: 'killed', steps: [] })
  const { stages } = await bench.build(1)
  expect(stages[0]?.steps).toMatchObject([{ status: 'killed', exit_code: 137 }, { status: 'skipped' }])
  expect(await bench.isSaved(one)).toBe(true)
  expect(await bench.statuses(1)).toEqual({ '': 'killed', default: 'killed' })
})

test('an error without steps ends a stage before it starts; long texts are cut @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  const stage = await bench.request()
  if (!stage) throw new Error('no stage')
  const accepted = await bench.ci.runners.accept(stage.id, 'bench')
  await bench.ci.runners.updateStage({ ...accepted, status: 'error', exit_code: 255, error: 'ü'.repeat(400) })
  const { status, stages } = await bench.build(1)
  expect([status, stages[0]?.error]).toEqual(['error', 'ü'.repeat(250)])
})

test('the context of a stage @system', async () => {
  const config = pipelines({ default: '' })
  await createSecret(bench.db, bench.repo.id, { name: 'a', data: 'x' })
  await createSecret(bench.db, bench.repo.id, { name: 'b', data: 'y', pull_request: true })
  const sha = bench.commit(config)
  await bench.push(sha)
  const stage = await bench.take()
  const context = await bench.ci.runners.details(stage.id)
  expect(context).toMatchObject({
    config,
    cloneFrom: bench.source.path,
    stage: { id: stage.id },
    build: { after: sha },
  })
  expect(context.repoSecret).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(context.secrets).toEqual([
    { id: 1, repo_id: bench.repo.id, name: 'a', data: 'open x' },
    { id: 2, repo_id: bench.repo.id, name: 'b', data: 'open y', pull_request: true },
  ])
  await bench.endStage(stage)
  await bench.push(sha, { event: 'pull_request', ref: 'refs/pull/1/head' })
  await bench.ci.approve(bench.repo, 2, 1, bench.user)
  const request = await bench.take()
  expect((await bench.ci.runners.details(request.id)).secrets).toEqual([
    { id: 2, repo_id: bench.repo.id, name: 'b', data: 'open y', pull_request: true },
  ])
})

test('watching ends with a cancel, with the end of the build, and at once if that was before @system', async () => {
  await bench.push(bench.commit(pipelines({ default: '' })))
  await bench.startBuild()
  const [first, second] = [await bench.build(1), await bench.build(2)]
  const cancelled = bench.ci.runners.watch(first.id, never)
  await bench.ci.cancel(bench.repo, 1, bench.user)
  expect(await cancelled).toBe(true)
  expect(await bench.ci.runners.watch(first.id, never)).toBe(true)
  const ended = bench.ci.runners.watch(second.id, never)
  const gone = new AbortController()
  const aborted = bench.ci.runners.watch(second.id, gone.signal)
  gone.abort()
  expect(await aborted).toBe(false)
  await bench.endStage(await bench.take())
  expect(await ended).toBe(true)
})
