/** The steps that broke a build: the answer that the page gives first (design.md, rule 1). */
import type { Build, Stage, Step } from '@flightdeck/api'

export interface FailingStep {
  stage: Stage
  /** Absent if the stage failed before its first step. */
  step: Step | undefined
}

export const isFailure = (status: string): boolean => status === 'failure' || status === 'error'

export const failedStage = (step: Step): boolean => isFailure(step.status) && !step.errignore

const inStage = (stage: Stage): FailingStep[] => {
  const steps = (stage.steps ?? []).filter(failedStage)
  if (steps.length > 0) return steps.map((step) => ({ stage, step }))
  return isFailure(stage.status) && !stage.errignore ? [{ stage, step: undefined }] : []
}

/**
 * A stage without a failed step sorts last: its failure time is unknown, and often it only reflects
 * its other steps.
 */
const brokeAt = ({ step }: FailingStep): number => step?.stopped || Infinity

/** False if the server ended it, for example on a restart; the banner reports those. */
export const isToBlame = ({ stage, step }: FailingStep): boolean => !(step ? step.ended : stage.ended)

/**
 * All steps that broke the build, earliest first, and stages that failed before their first step.
 */
export const failingSteps = (build: Build | undefined): readonly FailingStep[] =>
  (build?.stages ?? [])
    .toSorted((a, b) => a.number - b.number)
    .flatMap(inStage)
    .toSorted((a, b) => brokeAt(a) - brokeAt(b) || 0)
