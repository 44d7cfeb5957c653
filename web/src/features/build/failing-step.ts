/** Where a build broke: the answer that the page gives first (design.md, rule 1). */
import type { Build, Stage, Step } from '@flightdeck/api'

export interface FailingStep {
  stage: Stage
  /** Missing when the stage failed before its first step. */
  step: Step | undefined
}

const broke = (status: string): boolean => status === 'failure' || status === 'error'

/** The step that failed first in time; of stages without a failed step the first in order. */
export const failingStep = (build: Build | undefined): FailingStep | undefined => {
  const stages = (build?.stages ?? []).toSorted((a, b) => a.number - b.number)
  const steps = stages.flatMap((stage) =>
    (stage.steps ?? [])
      .filter((step) => broke(step.status) && !step.errignore)
      .map((step) => ({ stage, step, at: step.stopped || Infinity })),
  )
  const [first] = steps.toSorted((a, b) => a.at - b.at)
  if (first) return { stage: first.stage, step: first.step }
  const stage = stages.find((one) => broke(one.status) && !one.errignore)
  return stage && { stage, step: undefined }
}
