/** What a runner can report about a step (docs/api §7.3), and when its live log starts and ends. */
import type { Step } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest'
import { configureLog } from '../lib/log.ts'
import { OptimisticLockError } from '../lib/refusal.ts'
import { markUploaded } from '../store/remote-stages.ts'
import { findStep } from '../store/steps.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { checkStatus, cutError, reported, reportStep } from './step-report.ts'

let context: TestContext
beforeEach(async () => {
  context = await openContext()
})
afterEach(() => context.close())

const report = (step: Step) => reportStep(context.ci, context.closers, step)
const stepOf = async (facts: Partial<Step> = {}): Promise<Step> => {
  const { stages } = await context.build([{ name: 'a', status: 'running', machine: 'm', started: 5, steps: [facts] }])
  return stages[0]?.steps?.[0] ?? expect.fail('no step')
}
const isLive = async (id: number): Promise<boolean> => {
  const ended = new AbortController()
  const lines = context.ci.logs.follow(id, ended.signal)
  ended.abort()
  for await (const some of lines ?? []) expect(some).toEqual([])
  return lines !== null
}

it('a step that runs has a log to write to, and one that is over has a saved one', async () => {
  const step = await stepOf()
  const running = await report({ ...step, status: 'running' })
  expect(running).toMatchObject({ status: 'running', started: context.clock.now, version: 2 })
  expect(running).not.toHaveProperty('stopped')
  expect(await isLive(step.id)).toBe(true)
  context.clock.now += 4
  const ended = await report({ ...running, status: 'failure', exit_code: 3, error: 'why' })
  expect(ended).toMatchObject({ status: 'failure', exit_code: 3, error: 'why', stopped: context.clock.now, version: 3 })
  expect(ended.started).toBe(context.clock.now - 4)
  expect(await context.isSaved(step.id)).toBe(true)
  expect(context.events.at(-1)?.build.stages?.[0]?.steps?.[0]?.status).toBe('failure')
})

it('a log that cannot be synced prevents no step from ending, whatever the reason', async () => {
  const { logs } = context.ci
  const failure = Object.assign(new Error('stale file handle, fdatasync'), { code: 'ESTALE' })
  vi.spyOn(logs, 'sync').mockRejectedValue(failure)
  const said: unknown[] = []
  configureLog('info', (_level, message, error) => said.push([message, error]))
  try {
    const running = await report({ ...(await stepOf()), status: 'running' })
    expect((await report({ ...running, status: 'success' })).status).toBe('success')
    expect(said).toEqual([[`The log of step ${running.id} could not be synced`, failure]])
  } finally {
    configureLog('info')
  }
})

it('a started step is published while the disk syncs, an ended step only afterwards', async () => {
  const step = await stepOf()
  let finishSync = (): void => {}
  const durable = vi.fn(() => new Promise<void>((resolve) => (finishSync = resolve)))
  const ci = { ...context.ci, durable }
  const running = await reportStep(ci, context.closers, { ...step, status: 'running' })
  const shown = () => context.events.at(-1)?.build.stages?.[0]?.steps?.[0]?.status
  expect(shown()).toBe('running')
  expect(durable).toHaveBeenCalledTimes(1)
  const ending = reportStep(ci, context.closers, { ...running, status: 'success' })
  await vi.waitFor(() => expect(durable).toHaveBeenCalledTimes(2))
  expect(shown()).toBe('running')
  finishSync()
  await ending
  expect(shown()).toBe('success')
})

it('what a step reports does not have the queue read', async () => {
  const step = await stepOf()
  const poke = vi.spyOn(context.ci.queue, 'poke')
  const running = await report({ ...step, status: 'running' })
  await report({ ...running, status: 'success' })
  expect(poke).not.toHaveBeenCalled()
})

it('a report that a step still waits opens nothing', async () => {
  const step = await stepOf()
  const answer = await report({ ...step, status: 'pending' })
  expect(answer).toMatchObject({ status: 'pending', version: 2 })
  expect(answer).not.toHaveProperty('started')
  expect(await isLive(step.id)).toBe(false)
})

it('a log that was uploaded before is not live', async () => {
  const step = await stepOf()
  await markUploaded(context.db, step.id)
  await report({ ...step, status: 'running' })
  expect(await isLive(step.id)).toBe(false)
})

it('an old version, a step that is over, one that is not there', async () => {
  const step = await stepOf()
  await expect(report({ ...step, status: 'running', version: 0 })).rejects.toThrow(OptimisticLockError)
  const over = await stepOf({ status: 'killed', started: 5 })
  await expect(report({ ...over, status: 'running' })).rejects.toThrow(OptimisticLockError)
  expect([await isLive(step.id), await isLive(over.id)]).toEqual([false, false])
  await expect(report({ ...step, id: 999 })).rejects.toMatchObject({ status: 404 })
  await expect(report({ ...step, status: 'blocked' })).rejects.toMatchObject({ status: 400 })
})

it('the end of a step that was cancelled meanwhile ends its log, and changes nothing', async () => {
  const step = await stepOf({ status: 'killed', started: 5, exit_code: 130 })
  await context.ci.logs.open(step.id)
  await expect(report({ ...step, status: 'success', exit_code: 0 })).rejects.toThrow(OptimisticLockError)
  expect(await context.isSaved(step.id)).toBe(true)
  expect(await findStep(context.db, step.id)).toEqual(step)
})

it('of two starts at once one is refused, and the log stays with the other', async () => {
  const step = await stepOf()
  const outcomes = await Promise.allSettled([
    report({ ...step, status: 'running' }),
    report({ ...step, status: 'running' }),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await isLive(step.id)).toBe(true)
})

it('a start that is overtaken by the end leaves no log behind', async () => {
  const step = await stepOf()
  const outcomes = await Promise.allSettled([
    report({ ...step, status: 'success' }),
    report({ ...step, status: 'running' }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await isLive(step.id)).toBe(false)
  expect(await context.isSaved(step.id)).toBe(false)
})

test('what a report leaves out stays; number and stage stay in any case', () => {
  const known: Step = {
    id: 1,
    step_id: 2,
    number: 3,
    name: 'a',
    status: 'running',
    exit_code: 0,
    version: 4,
    started: 5,
    stopped: 0,
    errignore: true,
    depends_on: ['x'],
    image: 'alpine',
    detached: true,
    schema: 'https://a',
  }
  const bare: Step = { id: 1, step_id: 9, number: 9, name: '', status: 'running', exit_code: 0, version: 4 }
  expect(reported(known, bare, 50)).toEqual({ ...known, error: undefined })
  const told: Partial<Step> = {
    name: 'b',
    status: 'failure' as const,
    error: 'e',
    errignore: false,
    exit_code: 7,
    started: 6,
    stopped: 8,
    depends_on: [],
    image: 'debian',
    detached: false,
    schema: 'https://b',
  }
  expect(reported(known, { ...bare, ...told }, 50)).toEqual({ ...known, ...told })
})

test('missing times', () => {
  const known: Step = { id: 1, step_id: 2, number: 3, name: 'a', status: 'pending', exit_code: 0, version: 1 }
  const times = (status: Step['status']) => {
    const { started, stopped } = reported(known, { ...known, status }, 50)
    return [started, stopped]
  }
  expect(times('pending')).toEqual([0, 0])
  expect(times('running')).toEqual([50, 0])
  expect(times('skipped')).toEqual([0, 50])
})

test('errors are cut to 500 bytes, and no character in two', () => {
  expect(cutError(undefined)).toBeUndefined()
  expect(cutError('e'.repeat(500))).toBe('e'.repeat(500))
  expect(cutError('e'.repeat(501))).toBe('e'.repeat(500))
  expect(cutError(`e${'ü'.repeat(250)}`)).toBe(`e${'ü'.repeat(249)}`)
  expect(cutError(`${'e'.repeat(498)}€x`)).toBe('e'.repeat(498))
})

test('a status that is refused is named, and not at length', () => {
  expect(() => checkStatus('x'.repeat(60))).toThrow(`Invalid status "${'x'.repeat(50)}"`)
  for (const status of ['pending', 'running', 'success', 'failure', 'error', 'killed', 'skipped'])
    expect(() => checkStatus(status)).not.toThrow()
})
