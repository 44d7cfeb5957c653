import type { Build } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { usePolling } from '../../browser/use-polling.ts'
import { withoutWaiting } from '../../lib/reason.ts'
import { mustHaveEnded } from './stage-rules.ts'

/** Identifies the build and those of its stages that must have ended without an event. */
const stagesToRequest = (build: Build | undefined): string | undefined => {
  const numbers = (build?.stages ?? []).filter(mustHaveEnded).map(({ number }) => number)
  return build && numbers.length > 0 ? `${build.id}: ${numbers.join()}` : undefined
}

/**
 * A service takes time to stop, and a lost runner never reports the end, so the second refetch is
 * less urgent.
 */
const pauses = { first: 1_500, next: 5_000 }

/**
 * The build, updated by live events, and fetched again when a stage must have ended without an
 * event.
 */
export const useBuild = (namespace: string, name: string, number: number) => {
  const query = useQuery({ ...queryOf('getBuild', namespace, name, number), select: withoutWaiting })
  // A failed read is not retried automatically (readings).
  usePolling(query.isError ? undefined : stagesToRequest(query.data), pauses, query.refetch)
  return query
}
