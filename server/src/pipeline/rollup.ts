/** Derives the result of a stage from its steps (docs/api §5.7). */
import type { Step } from '@flightdeck/api'

export interface StageResult {
  status: 'success' | 'failure' | 'error' | 'killed'
  exit_code: number
  error?: string
}

type StepFacts = Pick<Step, 'number' | 'status' | 'error' | 'errignore' | 'exit_code'>

/**
 * The first step, by number, that was killed, had an error or failed without being ignored decides.
 */
export const stageResult = (steps: readonly StepFacts[]): StageResult => {
  for (const step of steps.toSorted((a, b) => a.number - b.number)) {
    if (step.status === 'killed') return { status: 'killed', exit_code: 137 }
    if (step.status === 'error') {
      return { status: 'error', exit_code: 255, ...(step.error ? { error: step.error } : {}) }
    }
    // The stage does not take over the step's exit code.
    if (step.status === 'failure' && !step.errignore) return { status: 'failure', exit_code: 0 }
  }
  return { status: 'success', exit_code: 0 }
}
