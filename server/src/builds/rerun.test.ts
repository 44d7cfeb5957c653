/** Running a part of a build again, on a real database with real git and log files. */
import type { Again, Build, Stage, Status, User } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restartText } from '../interfaces/runner.ts'
import { findRepo, updateRepo } from '../store/repos.ts'
import { listQueue } from '../store/stages.ts'
import { createUser } from '../store/users.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import { required } from './context.ts'

let bench: Bench
let wes: User
beforeEach(async () => {
  bench = await openBench()
  wes = await createUser(bench.db, { login: 'wes', created: 1 })
})
afterEach(() => bench.close())

const onlyFailed: Again = { only: 'failed' }
const again = (number: number, part: Again = onlyFailed): Promise<Build | null> =>
  bench.ci.again(bench.repo, number, part, wes)
const refused = (number: number, part: Again = onlyFailed) =>
  again(number, part).then(
    () => 'not refused',
    (error: Error) => error.message,
  )
const stagesOf = async (number: number): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await bench.build(number)).stages.map(({ name, status, taken_over: from }) => [
      name,
      from ? `${status} #${from}` : status,
    ]),
  )
/** Takes one stage after the other until none is left; what is not named passes. */
const runAll = async (ends: Record<string, Status> = {}): Promise<string[]> => {
  const ran: string[] = []
  while ((await listQueue(bench.db)).some(({ status }) => status === 'pending')) {
    const stage = await bench.take()
    ran.push(stage.name)
    await bench.endStage(stage, ends[stage.name] ?? 'success')
  }
  return ran
}
const file = pipelines({
  lint: '',
  test: '',
  deploy: 'depends_on: [lint, test]',
  alarm: 'depends_on: [lint, test]\ntrigger: {status: [failure]}',
})
const failedOnce = async () => {
  await bench.push(bench.commit(file))
  await runAll({ test: 'failure' })
  expect(await stagesOf(1)).toEqual({ lint: 'success', test: 'failure', deploy: 'skipped', alarm: 'success' })
  bench.clock.now += 100
}

test('only what failed runs again, with what needs it; the rest is taken over with its times and its runner', async () => {
  await failedOnce()
  const build = await again(1)
  expect(build).toMatchObject({ number: 2, parent: 1, actor: 'wes', status: 'pending', again: onlyFailed })
  expect(await stagesOf(2)).toEqual({
    lint: 'success #1',
    test: 'pending',
    deploy: 'waiting_on_dependencies',
    alarm: 'waiting_on_dependencies',
  })
  const [before] = (await bench.build(1)).stages
  const [after] = (await bench.build(2)).stages
  const { started, stopped, created, machine, exit_code } = required(before ?? null)
  expect(after).toMatchObject({ started, stopped, created, machine, exit_code, taken_over: 1 })
  expect(after?.steps).toMatchObject([{ name: 'step', status: 'success', number: 1, started, stopped }])
  expect(await runAll()).toEqual(['test', 'deploy'])
  expect(await stagesOf(2)).toEqual({ lint: 'success #1', test: 'success', deploy: 'success', alarm: 'skipped' })
  // Reused stages do not count for the time of the build.
  const { status, started: began, finished } = await bench.build(2)
  expect([status, began, finished]).toEqual(['success', bench.clock.now, bench.clock.now])
})

test('what waits only for stages that passed before begins at once', async () => {
  await bench.push(bench.commit(pipelines({ lint: '', test: 'depends_on: [lint]' })))
  await runAll({ test: 'failure' })
  await again(1)
  expect(await stagesOf(2)).toEqual({ lint: 'success #1', test: 'pending' })
})

test('a copy of a copy names the build in which a stage really ran', async () => {
  await failedOnce()
  await again(1)
  await runAll({ test: 'failure' })
  await again(2)
  expect(await stagesOf(3)).toMatchObject({ lint: 'success #1', test: 'pending' })
  // And a whole restart of such a build runs all of it.
  await runAll()
  await bench.ci.restart(bench.repo, 3, { debug: false, params: {} }, wes)
  expect(await bench.build(4)).not.toHaveProperty('again')
  expect(await stagesOf(4)).toMatchObject({ lint: 'pending', test: 'pending', deploy: 'waiting_on_dependencies' })
})

test('one stage runs again alone: a deployment that went well is not repeated; what waits for a failure still does', async () => {
  await bench.push(bench.commit(file))
  await runAll()
  await again(1, { stage: 'test' })
  const taken = { lint: 'success #1', deploy: 'success #1', alarm: 'waiting_on_dependencies' }
  expect(await stagesOf(2)).toEqual({ ...taken, test: 'pending' })
  expect(await runAll({ test: 'failure' })).toEqual(['test', 'alarm'])
  expect(await bench.statuses(2)).toMatchObject({ '': 'failure', deploy: 'success' })
})

test('what was skipped because that stage failed follows it', async () => {
  await failedOnce()
  await again(1, { stage: 'test' })
  expect(await runAll()).toEqual(['test', 'deploy'])
  expect(await bench.statuses(2)).toMatchObject({ '': 'success', deploy: 'success' })
})

test('a green stage of a red build runs alone, although it needs others: those that passed are taken over @system', async () => {
  await bench.push(bench.commit(pipelines({ lint: '', docs: 'depends_on: [lint]', test: 'depends_on: [docs]' })))
  expect(await runAll({ test: 'failure' })).toEqual(['lint', 'docs', 'test'])
  await again(1, { stage: 'docs' })
  expect(await stagesOf(2)).toEqual({ lint: 'success #1', docs: 'pending', test: 'waiting_on_dependencies' })
  expect(await runAll()).toEqual(['docs', 'test'])
  // If nothing depends on it, only it runs, and the build still fails because of a reused stage.
  await bench.push(bench.commit(pipelines({ lint: '', docs: 'depends_on: [lint]', test: 'depends_on: [lint]' })))
  await bench.endStage(await bench.take())
  const docs = await bench.take()
  await bench.endStage(await bench.take(), 'failure')
  await bench.endStage(docs)
  expect(await stagesOf(3)).toEqual({ lint: 'success', docs: 'success', test: 'failure' })
  await again(3, { stage: 'docs' })
  expect(await runAll()).toEqual(['docs'])
  expect(await stagesOf(4)).toEqual({ lint: 'success #3', docs: 'success', test: 'failure #3' })
  expect(await bench.build(4)).toMatchObject({ status: 'failure' })
})

test('a stage does not run before what it needs has passed: what had not passed runs before it, and nothing else @system', async () => {
  const stages = { check: '', other: '', deploy: 'depends_on: [check, other]', notes: 'depends_on: [check]' }
  await bench.push(bench.commit(pipelines(stages)))
  await runAll({ check: 'failure' })
  await again(1, { stage: 'deploy' })
  const rest = { other: 'success #1', notes: 'skipped #1' }
  expect(await stagesOf(2)).toEqual({ ...rest, check: 'pending', deploy: 'waiting_on_dependencies' })
  expect(await runAll()).toEqual(['check', 'deploy'])
  // Fails it again, the stage is left out again.
  await again(1, { stage: 'deploy' })
  expect(await runAll({ check: 'failure' })).toEqual(['check'])
  expect(await stagesOf(3)).toEqual({ ...rest, check: 'failure', deploy: 'skipped' })
  // Cancelled before anything ran: nothing failed, and nothing passed.
  await bench.push(bench.commit(pipelines(stages)))
  await bench.ci.cancel(bench.repo, 4, wes)
  await again(4, { stage: 'deploy' })
  expect(await runAll()).toEqual(['check', 'other', 'deploy'])
  expect(await stagesOf(5)).toMatchObject({ deploy: 'success', notes: 'skipped #4' })
  await again(4, { stage: 'check' })
  expect(await stagesOf(6)).toMatchObject({ check: 'pending', other: 'skipped #4', deploy: 'skipped #4' })
  expect(await runAll()).toEqual(['check', 'notes'])
  expect(await bench.statuses(6)).toMatchObject({ '': 'success', other: 'skipped', deploy: 'skipped' })
})

test('a stage that was not selected does not follow while another stage is failed', async () => {
  await bench.push(bench.commit(pipelines({ test: '', lint: '', deploy: 'depends_on: [lint]' })))
  expect(await runAll({ test: 'failure' })).toEqual(['test', 'lint'])
  await again(1, { stage: 'lint' })
  expect(await runAll()).toEqual(['lint'])
  expect(await stagesOf(2)).toEqual({ test: 'failure #1', lint: 'success', deploy: 'skipped #1' })
  // Asked for itself, it runs.
  await again(1, { stage: 'deploy' })
  expect(await runAll()).toEqual(['deploy'])
})

test('a stage that runs after failures, too, takes them over as they were @system', async () => {
  const both = 'depends_on: [test, deploy]\ntrigger: {status: [success, failure]}'
  await bench.push(bench.commit(pipelines({ test: '', deploy: 'depends_on: [test]', notify: both })))
  expect(await runAll({ test: 'failure' })).toEqual(['test', 'notify'])
  await again(1, { stage: 'notify' })
  expect(await runAll()).toEqual(['notify'])
  expect(await stagesOf(2)).toEqual({ test: 'failure #1', deploy: 'skipped #1', notify: 'success' })
})

test('a failure of the new build counts as usual, and is the one that is named', async () => {
  const stages = { lint: '', unit: '', other: '', deploy: 'depends_on: [lint, unit]' }
  await bench.push(bench.commit(pipelines(stages)))
  await runAll({ lint: 'failure', other: 'failure' })
  await again(1, { stage: 'deploy' })
  expect(await runAll({ lint: 'failure' })).toEqual(['lint'])
  const [explained] = await bench.ci.withReasons([await bench.build(2)])
  expect(explained?.stages?.find(({ name }) => name === 'deploy')?.ended?.text).toContain('lint')
})

test('a stage for failures only is not run where nothing failed', async () => {
  await bench.push(bench.commit(file))
  await runAll()
  expect(await refused(1, { stage: 'alarm' })).toBe('alarm runs only after a failure')
})

test('it is refused while the build runs, if nothing failed, and without stages @system', async () => {
  await bench.push(bench.commit(file))
  expect(await refused(1)).toBe('build #1 must finish before part of it can be re-run')
  await runAll()
  expect(await refused(1)).toBe('nothing failed in build #1')
  expect(await refused(1, { stage: 'nothing' })).toBe('Stage not found')
  await bench.push(bench.commit('kind: pipeline\nsteps: 7\n'))
  expect(await refused(2)).toContain('line 2: cannot unmarshal')
  expect(await refused(9)).toBe('sql: no rows in result set')
})

test('of a build that was cancelled, what was killed and what was never begun runs again', async () => {
  await bench.push(bench.commit(pipelines({ lint: '', test: '', late: 'depends_on: [test]' })))
  await bench.endStage(await bench.take())
  await bench.take()
  await bench.ci.cancel(bench.repo, 1, wes)
  expect(await stagesOf(1)).toEqual({ lint: 'success', test: 'killed', late: 'skipped' })
  await again(1)
  expect(await runAll()).toEqual(['test', 'late'])
  expect(await stagesOf(2)).toEqual({ lint: 'success #1', test: 'success', late: 'success' })
})

test('a rerun that reuses a failure fails, without an error text and not shown as canceled', async () => {
  await bench.push(bench.commit(pipelines({ one: '', two: '', three: '' })))
  const one = await bench.take()
  await bench.take()
  await bench.endStage(one)
  await bench.restartServer()
  expect(await bench.build(1)).toMatchObject({ status: 'error', error: restartText })
  await again(1, { stage: 'one' })
  await runAll()
  const second = await bench.build(2)
  expect(second).toMatchObject({ status: 'failure' })
  expect(second).not.toHaveProperty('error')
  expect(second).not.toHaveProperty('canceled')
})

test('the same request during the rerun returns that build; afterwards it is another build', async () => {
  await failedOnce()
  const both = await Promise.all([again(1), again(1)])
  expect(both.map((build) => build?.number)).toEqual([2, 2])
  // Another part is a different request.
  expect((await again(1, { stage: 'lint' }))?.number).toBe(3)
  await runAll()
  expect((await again(1))?.number).toBe(4)
})

test('cancelling ends what runs, and leaves what was taken over', async () => {
  await failedOnce()
  await again(1)
  await bench.take()
  await bench.ci.cancel(bench.repo, 2, wes)
  expect(await stagesOf(2)).toMatchObject({ lint: 'success #1', test: 'killed', deploy: 'skipped' })
  const [explained] = await bench.ci.withReasons([await bench.build(2)])
  const ended = Object.fromEntries((explained?.stages ?? []).map((stage: Stage) => [stage.name, stage.ended?.text]))
  expect(ended).toMatchObject({ lint: undefined, test: 'Canceled by wes' })
})

test('a server that is killed in the middle keeps what was taken over', async () => {
  await failedOnce()
  await again(1)
  await bench.restartServer()
  expect(await runAll()).toEqual(['test', 'deploy'])
  expect(await bench.statuses(2)).toMatchObject({ '': 'success', lint: 'success' })
})

test('an unapproved stage waits again, and an approved one keeps its approval', async () => {
  const repo = required(await findRepo(bench.db, bench.repo.id))
  await updateRepo(bench.db, { ...repo, protected: true })
  await bench.push(bench.commit(pipelines({ good: '', bad: '', open: '' })))
  await bench.ci.approve(bench.repo, 1, 1, wes)
  await bench.ci.approve(bench.repo, 1, 2, wes)
  expect(await runAll({ bad: 'failure' })).toEqual(['good', 'bad'])
  await bench.ci.cancel(bench.repo, 1, wes)
  await again(1)
  expect(await stagesOf(2)).toEqual({ good: 'success #1', bad: 'pending', open: 'blocked' })
  expect((await bench.build(2)).stages[0]).toMatchObject({ approved_by: 'wes' })
  // Settings that became stricter in the meantime apply to the stages that run.
  await bench.push(bench.commit(pipelines({ more: '', bad: '' })))
  await bench.ci.decline(bench.repo, 3, undefined, wes)
  expect(await refused(3)).toBe('cannot start a declined build')
})

test('a log is read through every build that shows it, outlives the first one, and is deleted everywhere at once', async () => {
  await bench.push(bench.commit(pipelines({ lint: '', test: '' })))
  const lint = await bench.take()
  const [step] = lint.steps
  await bench.runStep(required(step ?? null))
  await bench.ci.runners.appendLog(required(step ?? null).id, [{ pos: 0, out: 'hello\n', time: 0 }])
  await bench.endStage(lint)
  await bench.endStage(await bench.take(), 'failure')
  await again(1)
  const taken = required((await bench.build(2)).stages[0]?.steps?.[0] ?? null)
  expect(taken.id).not.toBe(step?.id)
  expect(await bench.isSaved(taken)).toBe(true)
  await bench.ci.purge(bench.repo, 2, wes)
  expect(await bench.isSaved(taken)).toBe(true)
})

test('it gives way to a newer push, and makes older builds of its branch give way, as a restart does', async () => {
  await failedOnce()
  const repo = required(await findRepo(bench.db, bench.repo.id))
  await updateRepo(bench.db, { ...repo, auto_cancel_pushes: true })
  await again(1)
  await bench.push(bench.commit(file))
  expect(await bench.statuses(2)).toMatchObject({ '': 'skipped', lint: 'success' })
})

test('its events contain what was reused', async () => {
  await failedOnce()
  await again(1)
  const last = bench.events.at(-1)?.build
  expect([last?.number, last?.again, last?.stages?.[0]?.taken_over]).toEqual([2, onlyFailed, 1])
})

test.each(['restart', 'part'] as const)('a %s reads the build that it copies once', async (kind) => {
  const reads: string[] = []
  await bench.close()
  bench = await openBench({
    plugin: {
      transformQuery({ node }) {
        if (node.kind === 'SelectQueryNode' && JSON.stringify(node.where ?? {}).includes('"build_number"'))
          reads.push(JSON.stringify(node.from))
        return node
      },
      transformResult: async ({ result }) => result,
    },
  })
  wes = await createUser(bench.db, { login: 'wes', created: 1 })
  await failedOnce()
  reads.length = 0
  if (kind === 'part') await again(1)
  else await bench.ci.restart(bench.repo, 1, { debug: false, params: {} }, wes)
  expect(reads.map((from) => from.includes('"builds"'))).toEqual([true])
})
