/** The result of a stage from its steps (docs/api §5.7). */
import type { Step } from '@flightdeck/api'

export interface StageResult {
  status: 'success' | 'failure' | 'error' | 'killed'
  exit_code: number
  error?: string
}

type StepFacts = Pick<Step, 'number' | 'status' | 'error' | 'errignore' | 'exit_code'>

/** The first killed, error or failure that is not ignored decides, in the order of the numbers. */
export const stageResult = (steps: readonly StepFacts[]): StageResult => {
  for (const step of steps.toSorted((a, b) => a.number - b.number)) {
    if (step.status === 'killed') return { status: 'killed', exit_code: 137 }
    if (step.status === 'error') {
      return { status: 'error', exit_code: 255, ...(step.error ? { error: step.error } : {}) }
    }
    // The stage's exit code is not the step's.
    if (step.status === 'failure' && !step.errignore) return { status: 'failure', exit_code: 0 }
  }
  return { status: 'success', exit_code: 0 }
}
