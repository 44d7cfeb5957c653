/** What a runner can report about a stage and its steps (docs/api §7.3), report by report. */
import type { Stage, Step } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OptimisticLockError } from '../lib/refusal.ts'
import { listSteps } from '../store/steps.ts'
import { never } from '../testing/test-bench.ts'
import { openContext, type StageFacts, type TestContext } from '../testing/test-context.ts'
import { reportStage } from './stage-report.ts'

let context: TestContext
beforeEach(async () => {
  context = await openContext()
})
afterEach(() => context.close())

const report = (stage: Stage) => reportStage(context.ci, context.closers, stage)
const stageOf = async (...stages: StageFacts[]): Promise<Stage> => {
  const [first = expect.fail('no stage')] = (await context.build(stages)).stages
  return first
}
const step = (number: number, more: Partial<Step> = {}): Step => ({
  id: 0,
  step_id: 0,
  number,
  name: `step ${number}`,
  status: 'pending',
  exit_code: 0,
  version: 0,
  ...more,
})
const running = { status: 'running', started: 5, machine: 'm' } as const

describe('a start', () => {
  it('makes the steps, and the build run from now on', async () => {
    const stage = await stageOf({ name: 'a', machine: 'm' }, { name: 'b', machine: 'm' })
    context.clock.now += 7
    const steps = [step(1, { image: 'alpine', depends_on: ['x'], error: 'e'.repeat(600) }), step(2)]
    const answer = await report({ ...stage, status: 'running', started: 33, steps })
    expect(answer).toMatchObject({ status: 'running', started: 33, stopped: 0, updated: context.clock.now, version: 2 })
    expect(answer.steps).toMatchObject([
      { step_id: stage.id, number: 1, image: 'alpine', depends_on: ['x'], error: 'e'.repeat(500), version: 1 },
      { step_id: stage.id, number: 2, version: 1 },
    ])
    expect(await listSteps(context.db, stage.id)).toEqual(answer.steps)
    const { now } = context.clock
    expect(await context.read(stage.build_id)).toMatchObject({ status: 'running', started: now, updated: now })
    // The second stage starts later; the build does not.
    context.clock.now += 5
    const [, second = expect.fail('no stage')] = (await context.read(stage.build_id)).stages
    const plain = await report({ ...second, status: 'running' })
    expect(plain).not.toHaveProperty('steps')
    expect(plain.started).toBe(context.clock.now)
    expect(await context.read(stage.build_id)).toMatchObject({ started: now, updated: now })
  })

  it('of a stage that is only taken starts nothing', async () => {
    const stage = await stageOf({ name: 'a', machine: 'm' })
    const answer = await report({ ...stage, status: 'pending' })
    expect(answer).toMatchObject({ status: 'pending', started: 0, stopped: 0, version: 2 })
    expect(await context.statuses(stage.build_id)).toEqual(['pending', 'pending'])
  })

  it('sets machine, platform and rules, and nothing else', async () => {
    const stage = await stageOf({
      name: 'a',
      machine: 'm',
      variant: 'v6',
      kernel: 'k',
      depends_on: ['y'],
      labels: { a: '1' },
    })
    const told = { variant: 'v7', kernel: '6.1', depends_on: ['z'], labels: { b: '2' }, os: 'plan9', arch: 'arm' }
    const rules = { on_success: false, on_failure: true, errignore: true, exit_code: 3, error: 'x' }
    const answer = await report({
      ...stage,
      ...told,
      ...rules,
      machine: 'n',
      name: 'other',
      limit: 9,
      status: 'running',
    })
    expect(answer).toMatchObject({ ...told, ...rules, machine: 'n', name: 'a' })
    expect(answer).not.toHaveProperty('limit')
    // What a report leaves out stays as it is.
    const { variant: _v, kernel: _k, depends_on: _d, labels: _l, ...rest } = answer
    const again = await report({ ...rest, machine: '', os: '', arch: '', status: 'running', started: 0 })
    expect(again).toMatchObject({ ...told, machine: 'n', started: context.clock.now })
  })

  it('with an old version, after the end, or of no stage is refused', async () => {
    const stage = await stageOf({ name: 'a', machine: 'm' })
    await expect(report({ ...stage, status: 'running', version: 0 })).rejects.toThrow(OptimisticLockError)
    await expect(report({ ...stage, status: 'running', version: 2 })).rejects.toThrow(OptimisticLockError)
    const over = await stageOf({ name: 'a', status: 'success' })
    await expect(report({ ...over, status: 'running' })).rejects.toThrow(OptimisticLockError)
    await expect(report({ ...stage, id: 999 })).rejects.toMatchObject({ status: 404 })
  })

  it('with a status that no runner gives, of stage or step, changes nothing', async () => {
    const stage = await stageOf({ name: 'a', machine: 'm' })
    const bad = { status: 400, message: 'Invalid status "declined"' }
    await expect(report({ ...stage, status: 'declined' })).rejects.toMatchObject(bad)
    const steps = [step(1), step(2, { status: 'declined' })]
    await expect(report({ ...stage, status: 'running', steps })).rejects.toMatchObject(bad)
    expect(await context.statuses(stage.build_id)).toEqual(['pending', 'pending'])
  })
})

describe('an end', () => {
  it('is reported with its steps: by id, by number, and unknown ones', async () => {
    const stage = await stageOf({
      name: 'a',
      ...running,
      steps: [
        {
          status: 'success',
          started: 5,
          stopped: 6,
        },
        {
          status: 'running',
          started: 6,
        },
        {
          status: 'running',
          started: 6,
        },
      ],
    })
    const [one = expect.fail(), two = expect.fail(), three = expect.fail()] = stage.steps ?? []
    context.clock.now += 9
    const answer = await report({
      ...stage,
      status: 'failure',
      steps: [
        // Over already: nothing changes it.
        { ...one, status: 'failure', exit_code: 9 },
        { ...two, number: 99, status: 'failure', exit_code: 2, stopped: 8 },
        step(3, { status: 'success' }),
        step(4, { status: 'skipped', error: 'e'.repeat(600), version: 5 }),
      ],
    })
    expect(answer).toMatchObject({ status: 'failure', stopped: context.clock.now, started: 5 })
    expect(answer.steps).toMatchObject([
      { id: one.id, status: 'success', exit_code: 0, version: 1 },
      { id: two.id, number: 2, status: 'failure', exit_code: 2, stopped: 8, version: 2 },
      { id: three.id, status: 'success', stopped: context.clock.now, version: 2 },
      { number: 4, step_id: stage.id, status: 'skipped', error: 'e'.repeat(500), version: 1 },
    ])
    expect(await listSteps(context.db, stage.id)).toHaveLength(4)
    expect((await context.read(stage.build_id)).status).toBe('failure')
  })

  it('of a stage that never ran has no steps', async () => {
    const stage = await stageOf({ name: 'a', machine: 'm' })
    const { steps: _steps, ...plain } = stage
    const answer = await report({ ...plain, status: 'error', error: 'no', stopped: 12 })
    expect(answer).not.toHaveProperty('steps')
    expect(answer).toMatchObject({ started: context.clock.now, stopped: 12 })
  })

  it.each([
    ['error', { status: 'error', exit_code: 137 }],
    ['killed', { status: 'killed', exit_code: 137 }],
    ['success', { status: 'killed', exit_code: 137 }],
  ] as const)('as %s leaves no step open that its runner left unfinished', async (status, expected) => {
    const stage = await stageOf({ name: 'a', ...running, steps: [{ status: 'running', started: 6 }, {}, {}] })
    const { now } = context.clock
    // A report that says of a step that it still runs is as good as none.
    const steps = [{ ...step(1, { status: 'running' }), id: stage.steps?.[0]?.id ?? 0 }]
    const answer = await report({ ...stage, status, steps })
    expect(answer.steps).toMatchObject([
      { ...expected, stopped: now, started: 6 },
      { status: 'skipped', started: now, stopped: now, exit_code: 0 },
      { status: 'skipped' },
    ])
  })

  it('closes the logs of the steps that end with it, and notifies watchers of the build', async () => {
    const stage = await stageOf({ name: 'a', ...running, steps: [{ status: 'running', started: 6 }] })
    const [one = expect.fail()] = stage.steps ?? []
    await context.ci.logs.open(one.id)
    const watching = context.ci.watchers.wait(stage.build_id, never)
    await report({ ...stage, status: 'success', steps: [] })
    expect(await context.isSaved(one.id)).toBe(true)
    expect(await watching).toBe(true)
  })

  it('while others run notifies no watcher', async () => {
    const stage = await stageOf({ name: 'a', ...running }, { name: 'b', ...running })
    let over = false
    void context.ci.watchers.wait(stage.build_id, never).then(() => (over = true))
    await report({ ...stage, status: 'success' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(over).toBe(false)
    expect(await context.statuses(stage.build_id)).toEqual(['pending', 'success', 'running'])
  })

  it('starts its dependents, and only those', async () => {
    const waits = { status: 'waiting_on_dependencies' } as const
    const stage = await stageOf(
      { name: 'a', ...running },
      { name: 'b', ...waits, depends_on: ['a'] },
      { name: 'c', ...waits, depends_on: ['b'] },
    )
    await report({ ...stage, status: 'success' })
    expect(await context.statuses(stage.build_id)).toEqual(['pending', 'success', 'pending', 'waiting_on_dependencies'])
  })

  it('that comes too late closes the logs of what is over, and no other', async () => {
    const stage = await stageOf({
      name: 'a',
      status: 'killed' as const,
      machine: 'm',
      steps: [
        {
          status: 'killed',
          started: 6,
        },
        {
          status: 'running',
          started: 6,
        },
      ],
    })
    const [one = expect.fail(), two = expect.fail()] = stage.steps ?? []
    for (const { id } of [one, two]) await context.ci.logs.open(id)
    await expect(report({ ...stage, status: 'killed' })).rejects.toThrow(OptimisticLockError)
    expect(await context.isSaved(one.id)).toBe(true)
    expect(await context.isSaved(two.id)).toBe(false)
  })
})

it.each([3600, -3600])(
  'the duration of a build is right when the clock is set by %i seconds meanwhile',
  async (jump) => {
    context.clock.passed = 1_000
    const stage = await stageOf({ name: 'a', machine: 'm' })
    const began = context.clock.now
    const started = await report({ ...stage, status: 'running' })
    context.clock.now += jump + 20
    context.clock.passed += 20_000
    await report({ ...started, status: 'success' })
    expect(await context.read(stage.build_id)).toMatchObject({
      status: 'success',
      started: began,
      finished: began + 20,
    })
  },
)
