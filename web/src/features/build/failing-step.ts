/** Where a build broke: the answer that the page gives first (design.md, rule 1). */
import type { Build, Stage, Step } from '@flightdeck/api'

export interface FailingStep {
  stage: Stage
  /** Missing when the stage failed before its first step. */
  step: Step | undefined
  /** What is known about it, such as `Exit Code 2`. */
  reason: string
}

const broke = (status: string): boolean => status === 'failure' || status === 'error'

const reasonOf = (step: Step): string =>
  step.error || (step.status === 'failure' ? `Exit Code ${step.exit_code}` : 'Error')

/** The step that failed first in time; of stages without a failed step the first in order. */
export const failingStep = (build: Build | undefined): FailingStep | undefined => {
  const stages = (build?.stages ?? []).toSorted((a, b) => a.number - b.number)
  const steps = stages.flatMap((stage) =>
    (stage.steps ?? [])
      .filter((step) => broke(step.status) && !step.errignore)
      .map((step) => ({ stage, step, reason: reasonOf(step), at: step.stopped || Infinity })),
  )
  const [first] = steps.toSorted((a, b) => a.at - b.at)
  if (first) return { stage: first.stage, step: first.step, reason: first.reason }
  const stage = stages.find((one) => broke(one.status) && !one.errignore)
  return stage && { stage, step: undefined, reason: stage.error || stage.status }
}
