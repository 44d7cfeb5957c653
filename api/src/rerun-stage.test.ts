import { describe, expect, test } from 'vitest'

import { planStageRerun } from './rerun-stage.ts'
import type { Status } from './status.ts'
import type { Stage } from './types.ts'

const stage = (name: string, status: Status, needs: string[] = [], when: Partial<Stage> = {}): Stage =>
  ({ name, status, depends_on: needs, on_success: true, on_failure: false, ...when }) as Stage
const plan = (stages: readonly Stage[], name: string) => {
  const chosen = stages.find((stage) => stage.name === name)
  if (!chosen) throw new Error(`no stage ${name}`)
  return planStageRerun(stages, stages, chosen)
}

describe('the stages that run with a rerun stage', () => {
  test('dependents that did not run follow; those that passed are not repeated', () => {
    const stages = [
      stage('unit', 'failure'),
      stage('report', 'success', ['unit']),
      stage('deploy', 'skipped', ['unit']),
      stage('announce', 'skipped', ['deploy']),
    ]
    expect(plan(stages, 'unit')).toEqual({ needed: [], after: ['deploy', 'announce'] })
  })

  test('dependencies that did not pass run first; those that passed do not run', () => {
    const stages = [stage('lint', 'success'), stage('unit', 'failure'), stage('deploy', 'skipped', ['lint', 'unit'])]
    expect(plan(stages, 'deploy')).toEqual({ needed: ['unit'], after: [] })
  })

  test('a dependent waits for its other dependencies', () => {
    const stages = [stage('lint', 'failure'), stage('unit', 'failure'), stage('deploy', 'skipped', ['lint', 'unit'])]
    expect(plan(stages, 'unit')).toEqual({ needed: [], after: [] })
  })

  test('while another stage stays failed, only stages that run after a failure follow', () => {
    const stages = [
      stage('lint', 'failure'),
      stage('unit', 'failure'),
      stage('deploy', 'skipped', ['unit']),
      stage('alarm', 'skipped', ['unit'], { on_failure: true }),
    ]
    expect(plan(stages, 'unit')).toEqual({ needed: [], after: ['alarm'] })
  })

  test('a stage that runs only after failures is excluded if nothing failed', () => {
    const alarm = { on_success: false, on_failure: true }
    expect(plan([stage('unit', 'success'), stage('alarm', 'skipped', ['unit'], alarm)], 'alarm')).toBeNull()
    expect(plan([stage('unit', 'failure'), stage('alarm', 'skipped', ['unit'], alarm)], 'alarm')).toEqual({
      needed: [],
      after: [],
    })
  })
})
