import type { Build, Stage, Step } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { failingStep } from './failing-step.ts'

const step = (number: number, status: Step['status'], more: Partial<Step> = {}): Step => ({
  id: number,
  step_id: 1,
  number,
  name: `step ${number}`,
  status,
  exit_code: 0,
  version: 1,
  ...more,
})
const stage = (number: number, status: Stage['status'], steps: Step[], error = ''): Partial<Stage> => ({
  number,
  name: `stage ${number}`,
  status,
  steps,
  errignore: false,
  ...(error && { error }),
})
// Only these fields are read.
const build = (...stages: Partial<Stage>[]): Build => ({ stages }) as Build

test('the step that failed first in time', () => {
  const found = failingStep(
    build(
      stage(1, 'failure', [step(1, 'success'), step(2, 'failure', { stopped: 90, exit_code: 2 })]),
      stage(2, 'failure', [step(1, 'failure', { stopped: 50, exit_code: 1 })]),
    ),
  )
  expect(found).toMatchObject({ stage: { number: 2 }, step: { number: 1 } })
})

test('failures that do not count are left out', () => {
  expect(failingStep(build(stage(1, 'success', [step(1, 'failure', { errignore: true })])))).toBeUndefined()
  expect(failingStep(build(stage(1, 'killed', [step(1, 'killed')])))).toBeUndefined()
  expect(failingStep(undefined)).toBeUndefined()
})

test('a stage that failed before its first step', () => {
  expect(failingStep(build(stage(1, 'error', [], 'no runner')))).toMatchObject({
    stage: { number: 1 },
    step: undefined,
  })
})
