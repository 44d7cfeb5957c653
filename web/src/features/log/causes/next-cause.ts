/** The decisive lines of a log in the order in which they stand, and the way from one to the next. */
import type { Cause } from '../engine/causes.ts'

export const inOrder = (causes: readonly Cause[]): Cause[] => causes.toSorted((a, b) => a.index - b.index)

/**
 * The next (1) or previous (-1) one from the line that was visited last, round and round. Whoever has visited none begins
 * with the one that tells most.
 */
export const nextCause = (causes: readonly Cause[], at: number | undefined, way: 1 | -1): Cause | undefined => {
  if (at === undefined) return causes[0]
  const ordered = inOrder(causes)
  return way === 1
    ? (ordered.find(({ index }) => index > at) ?? ordered[0])
    : (ordered.findLast(({ index }) => index < at) ?? ordered.at(-1))
}
