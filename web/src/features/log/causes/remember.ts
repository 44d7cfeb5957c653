/**
 * Caches the error line that a console found, for list rows on servers that don't provide it
 * (`api/failure-reason.ts`).
 */
import type { Build, Step } from '@flightdeck/api'
import { nameAndMessage } from '@flightdeck/cause'

import { queryClient } from '../../../api/query-client.ts'
import { seenKey, type SeenCause, type SeenCauses } from '../../../api/failure-reason.ts'
import type { Cause } from '../engine/causes.ts'
import type { StepAddress } from '../step/step-address.ts'

/** The maximum number of builds; older ones are dropped. */
const maxBuilds = 200

const isEarlier = (cause: SeenCause, other: SeenCause): boolean =>
  cause.stage < other.stage || (cause.stage === other.stage && cause.step < other.step)

/** `known` with one more cause. If several steps of a build were viewed, the first step counts. */
export const withCause = (known: SeenCauses, build: number, cause: SeenCause): SeenCauses => {
  const before = known.get(build)
  if (before && isEarlier(before, cause)) return known
  const others = [...known].filter(([id]) => id !== build)
  return new Map([...others.slice(1 - maxBuilds), [build, cause]])
}

/** The row text for a step's first error line; undefined for a guess. */
export const seenCauseOf = (
  { stage, step }: Pick<StepAddress, 'stage' | 'step'>,
  { name }: Pick<Step, 'name'>,
  first: Cause | undefined,
): SeenCause | undefined =>
  first && !first.guess
    ? {
        stage,
        step,
        step_name: name,
        line: first.number,
        text: (first.test && nameAndMessage(first.test)) ?? first.text.trim(),
      }
    : undefined

/** Caches the first error line of a step for the rows of its build. */
export const rememberCause = (
  build: Build | undefined,
  step: Step | undefined,
  address: StepAddress,
  first: Cause | undefined,
): void => {
  const cause = step && seenCauseOf(address, step, first)
  if (!build || !cause) return
  // No component observes it.
  queryClient.setQueryDefaults(seenKey, { gcTime: Infinity })
  queryClient.setQueryData<SeenCauses>(seenKey, (known = new Map()) => withCause(known, build.id, cause))
}
