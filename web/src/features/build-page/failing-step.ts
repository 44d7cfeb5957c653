/** Where a build broke: the answer that the page gives first (design.md, rule 1). */
import type { Build, Stage, Step } from '@flightdeck/api'

export interface FailingStep {
  stage: Stage
  /** Missing when the stage failed before its first step. */
  step: Step | undefined
}

export const broke = (status: string): boolean => status === 'failure' || status === 'error'

export const brokeStage = (step: Step): boolean => broke(step.status) && !step.errignore

const inStage = (stage: Stage): FailingStep[] => {
  const steps = (stage.steps ?? []).filter(brokeStage)
  if (steps.length > 0) return steps.map((step) => ({ stage, step }))
  return broke(stage.status) && !stage.errignore ? [{ stage, step: undefined }] : []
}

/** A stage without a step to blame comes last: nobody knows when it broke, and often it is only the sum of the others. */
const brokeAt = ({ step }: FailingStep): number => step?.stopped || Infinity

/** Its own doing: not the restart of the server, of which the banner tells. */
export const isToBlame = ({ stage, step }: FailingStep): boolean => !(step ? step.ended : stage.ended)

/** All steps that broke the build, the first in time first; and stages that failed before their first step. */
export const failingSteps = (build: Build | undefined): readonly FailingStep[] =>
  (build?.stages ?? [])
    .toSorted((a, b) => a.number - b.number)
    .flatMap(inStage)
    .toSorted((a, b) => brokeAt(a) - brokeAt(b) || 0)
