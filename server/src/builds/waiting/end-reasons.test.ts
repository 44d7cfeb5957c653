/** Each way in which something ends that is not its own doing, on a real database. */
import type { Build, Ended, Stage, User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findRepo, updateRepo } from '../../store/repos.ts'
import { updateStep } from '../../store/steps.ts'
import { createUser } from '../../store/users.ts'
import { openBench, pipelines, type Bench } from '../../testing/test-bench.ts'

let bench: Bench
let wes: User
beforeEach(async () => {
  bench = await openBench()
  wes = await createUser(bench.db, { login: 'wes', created: 1 })
})
afterEach(() => bench.close())

const buildWithReasons = async (number: number): Promise<Build & { stages: Stage[] }> => {
  const [build] = await bench.ci.withReasons([await bench.build(number)])
  if (!build) throw new Error('no build')
  return build
}
/** `''` is the build; steps are listed below their stage as `stage/step`. */
const ends = async (number: number): Promise<Record<string, string>> => {
  const build = await buildWithReasons(number)
  const all: [string, Ended | undefined][] = [['', build.ended]]
  for (const stage of build.stages) {
    all.push([stage.name, stage.ended])
    for (const step of stage.steps ?? []) all.push([`${stage.name}/${step.name}`, step.ended])
  }
  return Object.fromEntries(all.flatMap(([name, ended]) => (ended ? [[name, ended.text]] : [])))
}
const inList = async (number: number): Promise<Ended | undefined> => {
  const { stages: _stages, ...build } = await bench.build(number)
  return (await bench.ci.withReasons([build]))[0]?.ended
}
const protectRepo = async (more: object): Promise<void> => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, ...more })
}

describe('stages', () => {
  it('are skipped for what they need, for what failed elsewhere, or since nothing failed', async () => {
    const file = pipelines({
      lint: '',
      test: 'depends_on: [lint]',
      pack: 'depends_on: [test]',
      other: '',
      beside: 'depends_on: [other]',
      alarm: 'depends_on: [other]\ntrigger: {status: [failure]}',
    })
    await bench.push(bench.commit(file))
    const lint = await bench.take()
    const other = await bench.take()
    await bench.endStage(lint, 'failure')
    await bench.endStage(other)
    const alarm = await bench.take()
    await bench.endStage(alarm)
    expect(await ends(1)).toEqual({
      test: 'Skipped: needs lint, which failed',
      pack: 'Skipped: needs test, which was skipped',
      beside: 'Skipped: lint failed',
    })
    await bench.push(bench.commit(pipelines({ one: '', alarm: 'depends_on: [one]\ntrigger: {status: [failure]}' })))
    await bench.endStage(await bench.take())
    expect(await ends(2)).toEqual({ alarm: 'Skipped: runs only on failure' })
  })

  it('name who cancelled, who declined, the newer build, and the limit @system', async () => {
    await bench.push(bench.commit(pipelines({ one: '', two: 'depends_on: [one]' })))
    const stage = await bench.take(['first', 'second'])
    await bench.runStep(stage.steps[0] ?? expect.fail())
    bench.clock.now += 30
    await bench.ci.cancel(bench.repo, 1, wes)
    const text = 'Canceled by wes'
    expect(await ends(1)).toEqual({ '': text, one: text, 'one/first': text, 'one/second': text, two: text })
    const word = { reason: 'canceled', text, by: 'wes', at: bench.clock.now }
    expect((await buildWithReasons(1)).ended).toEqual(word)
    expect(await inList(1)).toEqual(word)

    await protectRepo({ protected: true })
    await bench.push(bench.commit(pipelines({ one: '', two: 'depends_on: [one]' })))
    await bench.ci.decline(bench.repo, 2, 1, wes)
    expect(await ends(2)).toMatchObject({ '': 'Declined by wes', one: 'Declined by wes' })
    expect(await inList(2)).toEqual({ reason: 'declined', text: 'Declined by wes', by: 'wes', at: bench.clock.now })

    await protectRepo({ protected: false, auto_cancel_pushes: true })
    const sha = bench.commit(pipelines({ one: '' }))
    await bench.push(sha)
    await bench.push(sha)
    const gone = 'Canceled: superseded by a newer build'
    expect(await ends(3)).toEqual({ '': gone, one: gone })
    expect((await inList(3))?.text).toBe(gone)
  })

  it('name the timeout, measured by the runner or the server', async () => {
    await bench.push(bench.commit(pipelines({ one: '', two: 'depends_on: [one]' })))
    const stage = await bench.take()
    // As a runner reports it (docs/api §5.7 "timeout").
    await bench.ci.runners.updateStage({ ...stage, status: 'killed', exit_code: 137, stopped: bench.clock.now })
    const over = 'Stopped: timed out'
    expect(await ends(1)).toMatchObject({ '': over, one: over, two: 'Skipped: needs one, which was killed' })
    expect((await inList(1))?.text).toBe(over)
  })

  it('name a restart of the server', async () => {
    await bench.push(bench.commit(pipelines({ one: '', two: 'depends_on: [one]' })))
    const stage = await bench.take(['first', 'second'])
    await bench.runStep(stage.steps[0] ?? expect.fail())
    await bench.restartServer()
    const text = 'Interrupted: the server was restarted'
    expect(await ends(1)).toEqual({ '': text, one: text, 'one/first': text, 'one/second': text, two: text })
    expect((await inList(1))?.text).toBe(text)
  })
})

describe('steps', () => {
  const run = async (
    file: string,
    steps: { name: string; status: 'success' | 'failure' | 'skipped'; code?: number }[],
  ) => {
    await bench.push(bench.commit(file))
    const stage = await bench.take(steps.map(({ name }) => name))
    const done = stage.steps.map((step, index) => ({
      ...step,
      status: steps[index]?.status ?? 'success',
      exit_code: steps[index]?.code ?? 0,
      started: bench.clock.now,
      stopped: bench.clock.now,
    }))
    const failed = done.some(({ status }) => status === 'failure')
    await bench.ci.runners.updateStage({
      ...stage,
      status: failed ? 'failure' : 'success',
      stopped: bench.clock.now,
      steps: done,
    })
  }
  const one = pipelines({ one: '' })

  it('are skipped after a failure, without one, and after an early end @system', async () => {
    await run(one, [
      { name: 'test', status: 'failure', code: 1 },
      { name: 'pack', status: 'skipped' },
    ])
    expect(await ends(1)).toEqual({ 'one/pack': 'Skipped: test failed' })
    await run(one, [
      { name: 'test', status: 'success' },
      { name: 'alarm', status: 'skipped' },
    ])
    expect(await ends(2)).toEqual({ 'one/alarm': 'Skipped: runs only on failure' })
    await run(one, [
      { name: 'check', status: 'success', code: 78 },
      { name: 'test', status: 'skipped' },
    ])
    expect(await ends(3)).toEqual({ 'one/test': 'Skipped: check ended the stage early, with exit code 78' })
  })

  it('are skipped because their stage broke before the first of them @system', async () => {
    await bench.push(bench.commit(one))
    const stage = await bench.take(['clone', 'test'])
    const error = 'Error response from daemon: pull access denied for nowhere'
    const steps = stage.steps.map((step) => ({ ...step, status: 'skipped' as const, started: 1, stopped: 1 }))
    await bench.ci.runners.updateStage({ ...stage, status: 'error', error, stopped: bench.clock.now, steps })
    const text = `Skipped: the stage ended with an error: ${error}`
    expect(await ends(1)).toEqual({ 'one/clone': text, 'one/test': text })
    await bench.push(bench.commit(one))
    const other = await bench.take(['clone', 'test'])
    const [clone, test] = other.steps.map((step) => ({ ...step, started: 1, stopped: 1, exit_code: 255 }))
    if (!clone || !test) throw new Error('no steps')
    await bench.ci.runners.updateStage({
      ...other,
      status: 'error',
      error,
      stopped: bench.clock.now,
      steps: [
        { ...clone, status: 'error' },
        { ...test, status: 'skipped', exit_code: 0 },
      ],
    })
    expect(await ends(2)).toEqual({ 'one/test': 'Skipped: clone failed' })
    await bench.push(bench.commit(one))
    const third = await bench.take(['test'])
    const skipped = third.steps.map((step) => ({ ...step, status: 'skipped' as const, started: 1, stopped: 1 }))
    await bench.ci.runners.updateStage({ ...third, status: 'error', stopped: bench.clock.now, steps: skipped })
    expect(await ends(3)).toEqual({ 'one/test': 'Skipped: the stage ended with an error' })
  })

  it('name the condition that skips them, also if a runner reports them', async () => {
    const file =
      'kind: pipeline\ntype: exec\nname: one\nsteps:\n- name: test\n  commands: [a]\n' +
      '- name: ship\n  commands: [b]\n  when: {branch: [release, stable]}\n'
    await run(file, [
      { name: 'test', status: 'success' },
      { name: 'ship', status: 'skipped' },
    ])
    expect((await buildWithReasons(1)).stages[0]?.left_out).toEqual([
      { name: 'ship', text: 'branch is not release or stable' },
    ])
    expect(await ends(1)).toEqual({ 'one/ship': 'Skipped: branch is not release or stable' })
  })

  it('wait for others by name, or for those before them', async () => {
    await bench.push(bench.commit(one))
    const stage = await bench.take(['clone', 'test'])
    const [first, second] = stage.steps
    if (!first || !second) throw new Error('no steps')
    const waiting = async () => (await buildWithReasons(1)).stages[0]?.steps?.map((step) => step.waiting?.text)
    const running = await bench.runStep(first)
    expect(await waiting()).toEqual([undefined, 'Waiting for earlier steps'])
    const named = await updateStep(bench.db, { ...second, depends_on: ['clone'] })
    expect(await waiting()).toEqual([undefined, 'Waiting for clone'])
    await bench.endStep(running)
    await bench.runStep(named)
    expect(await waiting()).toEqual([undefined, undefined])
  })
})

it('has no reason for what ended normally', async () => {
  await bench.push(bench.commit(pipelines({ one: '' })))
  await bench.endStage(await bench.take(), 'failure')
  expect(await ends(1)).toEqual({})
  expect(await inList(1)).toBeUndefined()
})
