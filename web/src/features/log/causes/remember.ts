/** Caches the error line that a console found, for list rows on servers that don't provide it (`api/failure-reason.ts`). */
import { queryClient } from '../../../api/query-client.ts'
import { seenKey, type SeenCause, type SeenCauses } from '../../../api/failure-reason.ts'

/** Builds of which it is kept; of more than these the last ones. */
const maxBuilds = 200

const isEarlier = (one: SeenCause, other: SeenCause): boolean =>
  one.stage < other.stage || (one.stage === other.stage && one.step < other.step)

/** `known` with one more cause. If several steps of a build were viewed, the first step counts. */
export const withCause = (known: SeenCauses, build: number, cause: SeenCause): SeenCauses => {
  const before = known.get(build)
  if (before && isEarlier(before, cause)) return known
  const others = [...known].filter(([id]) => id !== build)
  return new Map([...others.slice(1 - maxBuilds), [build, cause]])
}

export const rememberCause = (build: number, cause: SeenCause): void => {
  // No component observes it.
  queryClient.setQueryDefaults(seenKey, { gcTime: Infinity })
  queryClient.setQueryData<SeenCauses>(seenKey, (known = new Map()) => withCause(known, build, cause))
}
