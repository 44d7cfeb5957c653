/** The steps of a build whose logs can be searched, and those whose logs are not complete yet. */
import type { Build } from '@flightdeck/api'

import { wantsSavedLog } from '../step/console-state.ts'
import type { StepAddress } from '../step/step-address.ts'

export interface SearchedStep {
  address: StepAddress
  /** `stage / step`. */
  label: string
  /** Unix seconds; 0 if unknown. */
  started: number
}

export const searchedSteps = (
  searched: Pick<StepAddress, 'namespace' | 'name' | 'build'>,
  build: Build | undefined,
): SearchedStep[] =>
  (build?.stages ?? []).flatMap((stage) =>
    (stage.steps ?? [])
      .filter((step) => wantsSavedLog({ stage, step }))
      .map((step) => ({
        address: { ...searched, stage: stage.number, step: step.number },
        label: `${stage.name} / ${step.name}`,
        started: step.started ?? 0,
      })),
  )

/** The number of steps without a saved log. */
export const runningIn = (build: Build | undefined): number =>
  (build?.stages ?? []).flatMap((stage) => stage.steps ?? []).filter((step) => step.status === 'running').length
