import type { Build, Stage, Step } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { failingSteps } from './failing-step.ts'

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

const names = (of: Build | undefined) =>
  failingSteps(of).map((failing) => `${failing.stage.number}/${failing.step?.number ?? '-'}`)

test('all failed steps, earliest first', () => {
  expect(
    names(
      build(
        stage(1, 'failure', [step(1, 'success'), step(2, 'failure', { stopped: 90, exit_code: 2 })]),
        stage(2, 'failure', [step(1, 'failure', { stopped: 50 }), step(2, 'error', { stopped: 51 })]),
      ),
    ),
  ).toEqual(['2/1', '2/2', '1/2'])
})

test('ignored failures are excluded', () => {
  expect(names(build(stage(1, 'success', [step(1, 'failure', { errignore: true })])))).toEqual([])
  expect(names(build(stage(1, 'killed', [step(1, 'killed')])))).toEqual([])
  expect(names(undefined)).toEqual([])
})

test('a stage that failed before its first step comes after the steps', () => {
  expect(
    names(
      build(
        stage(1, 'error', [], 'no runner'),
        stage(2, 'failure', [step(1, 'failure', { stopped: 9 })]),
        stage(3, 'error', [], 'no runner'),
      ),
    ),
  ).toEqual(['2/1', '1/-', '3/-'])
})
