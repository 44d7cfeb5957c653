import type { Build, Stage, Status, Step } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { failingSteps } from './failing-step.ts'
import { neighbourOf, nextFailing, stepInPath, listSteps, stepToShow } from './stage-or-step.ts'

const step = (number: number, status: Status, more: Partial<Step> = {}): Step => ({
  id: number,
  step_id: 1,
  number,
  name: `step ${number}`,
  status,
  exit_code: 0,
  version: 1,
  ...more,
})
const stage = (number: number, status: Status, ...steps: Step[]): Partial<Stage> => ({
  number,
  name: `stage ${number}`,
  status,
  steps,
  errignore: false,
})
// Only these fields are read.
const build = (status: Status, ...stages: Partial<Stage>[]): Build => ({ status, stages }) as Build
const done = (number: number) => step(number, 'success')

test('a click opens the step that failed first, even while others are running', () => {
  const broken = build(
    'running',
    stage(1, 'running', step(1, 'running')),
    stage(2, 'failure', step(1, 'failure', { stopped: 90 })),
    stage(3, 'failure', done(1), step(2, 'failure', { stopped: 50 })),
  )
  expect(stepToShow(broken)).toEqual({ stage: 3, step: 2 })
})

test('otherwise the running step, but not a service', () => {
  expect(stepToShow(build('running', stage(1, 'success', done(1)), stage(2, 'running', step(1, 'running'))))).toEqual({
    stage: 2,
    step: 1,
  })
  const database = step(1, 'running', { detached: true })
  expect(stepToShow(build('running', stage(1, 'running', database, done(2), step(3, 'running'))))).toEqual({
    stage: 1,
    step: 3,
  })
  // Only the service is running between two steps: a page that follows the build stays at its step.
  const between = build('running', stage(1, 'running', database, done(2), step(3, 'pending')))
  expect(stepToShow(between, { stage: 1, step: 2 })).toEqual({ stage: 1, step: 2 })
})

test('otherwise the stage that waits for approval, or the canceled step', () => {
  const blocked = stage(2, 'blocked')
  expect(stepToShow(build('pending', stage(1, 'success', done(1)), blocked))).toEqual({ stage: 2 })
  // While another stage is running, the next step starts shortly.
  expect(
    stepToShow(build('running', stage(1, 'running', done(1), step(2, 'pending')), blocked), { stage: 1, step: 1 }),
  ).toEqual({ stage: 1, step: 1 })
  expect(stepToShow(build('declined', blocked))).toBeUndefined()
  expect(stepToShow(build('killed', stage(1, 'killed', done(1), step(2, 'killed'), step(3, 'skipped'))))).toEqual({
    stage: 1,
    step: 2,
  })
})

test('there is no such step in a successful build, before the start, and without stages', () => {
  for (const nowhere of [
    build('success', stage(1, 'success', done(1))),
    build('pending', stage(1, 'pending', step(1, 'pending'))),
    build('error'),
  ])
    expect(stepToShow(nowhere)).toBeUndefined()
  expect(
    stepToShow(build('success', stage(1, 'success', step(1, 'failure', { errignore: true }), done(2)))),
  ).toBeUndefined()
})

test('following moves from step to step, and to the next stage after the end of one', () => {
  const at = { stage: 1, step: 1 }
  expect(stepToShow(build('running', stage(1, 'running', done(1), step(2, 'running'))), at)).toEqual({
    stage: 1,
    step: 2,
  })
  const second = stage(2, 'running', step(1, 'running'), step(2, 'running'))
  expect(stepToShow(build('running', stage(1, 'success', done(1)), second), at)).toEqual({ stage: 2, step: 1 })
  // The next step of the same stage comes before a step of an earlier stage.
  expect(stepToShow(build('running', stage(1, 'running', step(1, 'running')), second), { stage: 2, step: 9 })).toEqual({
    stage: 2,
    step: 1,
  })
})

test('with two running steps, the page stays at its step until it ends, even if the other one fails; then it opens the failed one', () => {
  const at = { stage: 2, step: 1 }
  const failed = stage(1, 'failure', step(1, 'failure', { stopped: 5 }))
  expect(stepToShow(build('running', failed, stage(2, 'running', step(1, 'running'))), at)).toEqual(at)
  expect(stepToShow(build('running', failed, stage(2, 'running', done(1), step(2, 'running'))), at)).toEqual({
    stage: 1,
    step: 1,
  })
  // A step that failed while shown stays shown, even if another failed earlier.
  const under = stage(2, 'failure', step(1, 'failure', { stopped: 9 }))
  expect(stepToShow(build('failure', failed, under), at)).toEqual(at)
})

test('at the end of the build the page stays at the failed step, the last one, or the canceled one', () => {
  for (const status of ['success', 'killed'] as const) {
    const at = { stage: 1, step: 2 }
    expect(stepToShow(build(status, stage(1, status, done(1), step(2, status))), at)).toEqual(at)
  }
})

test('a page with approval buttons does not move', () => {
  const going = stage(2, 'running', step(1, 'running'))
  expect(stepToShow(build('running', stage(1, 'blocked'), going), { stage: 1, step: 1 })).toEqual({
    stage: 1,
    step: 1,
  })
  expect(stepToShow(build('running', stage(1, 'pending', step(1, 'pending')), going), { stage: 1, step: 1 })).toEqual({
    stage: 2,
    step: 1,
  })
})

test('moving between steps goes through all that can be selected, and stops at both ends', () => {
  const all = build(
    'failure',
    stage(2, 'skipped', step(1, 'skipped')),
    stage(1, 'failure', step(2, 'failure'), done(1), step(3, 'skipped')),
    stage(3, 'success', done(1)),
  )
  expect(listSteps(all)).toEqual([{ stage: 1, step: 1 }, { stage: 1, step: 2 }, { stage: 2 }, { stage: 3, step: 1 }])
  expect(neighbourOf(all, { stage: 1, step: 2 }, 1)).toEqual({ stage: 2 })
  expect(neighbourOf(all, { stage: 2, step: 1 }, -1)).toEqual({ stage: 1, step: 2 })
  expect(neighbourOf(all, { stage: 1, step: 1 }, -1)).toBeUndefined()
  expect(neighbourOf(all, { stage: 3, step: 1 }, 1)).toBeUndefined()
  expect(neighbourOf(all, { stage: 9, step: 1 }, 1)).toEqual({ stage: 1, step: 1 })
})

test('moving between failed steps wraps around, in the order of failure', () => {
  const failing = failingSteps(
    build(
      'failure',
      stage(1, 'failure', step(1, 'failure', { stopped: 30 })),
      stage(2, 'failure', done(1), step(2, 'error', { stopped: 10 })),
      stage(3, 'error'),
    ),
  )
  const [first, second, last] = [{ stage: 2, step: 2 }, { stage: 1, step: 1 }, { stage: 3 }]
  expect(nextFailing(failing, { stage: 1, step: 5 }, 1)).toEqual(first)
  expect(nextFailing(failing, { stage: 1, step: 5 }, -1)).toEqual(last)
  expect(nextFailing(failing, first, 1)).toEqual(second)
  expect(nextFailing(failing, { stage: 3, step: 1 }, 1)).toEqual(first)
  expect(nextFailing(failing, first, -1)).toEqual(last)
  expect(nextFailing([], first, 1)).toBeUndefined()
})

test('the step that a URL names', () => {
  expect(stepInPath('/a/b/42/3/2', '/a/b/42')).toEqual({ stage: 3, step: 2 })
  expect(stepInPath('/a/b/42/3', '/a/b/42')).toEqual({ stage: 3 })
  for (const other of ['/a/b/42', '/a/b/421/3', '/a/b/43/1/1', '/a/b/42/x'])
    expect(stepInPath(other, '/a/b/42')).toBeUndefined()
})

test('following a build to its successful end opens its last step, also if that ran too briefly to be seen', () => {
  const at = { stage: 2, step: 1 }
  const first = stage(1, 'success', step(1, 'success', { stopped: 40 }))
  const ended = (more: Partial<Step>) => [step(1, 'success', { stopped: 50 }), step(2, 'success', more)]
  expect(stepToShow(build('success', first, stage(2, 'success', ...ended({ stopped: 50 }))), at)).toEqual({
    stage: 2,
    step: 2,
  })
  // Of steps that ended in the same second, the later one.
  const quick = stage(3, 'success', ...ended({ stopped: 50 }), step(3, 'skipped', { stopped: 50 }))
  expect(stepToShow(build('success', first, stage(2, 'success', ...ended({})), quick), at)).toEqual({
    stage: 3,
    step: 2,
  })
  const service = step(3, 'success', { detached: true, stopped: 51 })
  expect(stepToShow(build('success', first, stage(2, 'success', ...ended({}), service)), at)).toEqual(at)
  expect(stepToShow(build('running', first, stage(2, 'success', ...ended({ stopped: 50 }))), at)).toEqual(at)
})
