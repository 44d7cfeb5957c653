/** The error lines of a log in order, and how to move between them. */
import type { Cause } from '../engine/causes.ts'

export const inOrder = (causes: readonly Cause[]): Cause[] => causes.toSorted((a, b) => a.index - b.index)

/**
 * The next (1) or previous (-1) error line after the last visited one, wrapping around. If none was
 * visited, the most relevant one.
 */
export const nextCause = (causes: readonly Cause[], at: number | undefined, way: 1 | -1): Cause | undefined => {
  if (at === undefined) return causes[0]
  const ordered = inOrder(causes)
  return way === 1
    ? (ordered.find(({ index }) => index > at) ?? ordered[0])
    : (ordered.findLast(({ index }) => index < at) ?? ordered.at(-1))
}
