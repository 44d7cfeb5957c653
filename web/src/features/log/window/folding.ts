/** The screen rows of a log in which the output of some commands is folded. */
import { binarySearch } from '../../../lib/binary-search.ts'
import type { Rows } from '../reading/viewport.ts'

/** Hidden lines, from the first to one after the last. */
export interface Hidden {
  from: number
  to: number
}

/**
 * The lines that are hidden when the groups starting on these lines are folded. `starts`: the start
 * of each group.
 */
export const hiddenBy = (folded: ReadonlySet<number>, starts: ArrayLike<number>, count: number): Hidden[] => {
  const hidden: Hidden[] = []
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] ?? 0
    const to = starts[index + 1] ?? count
    if (folded.has(start) && start + 1 < to) hidden.push({ from: start + 1, to })
  }
  return hidden
}

/** The group that contains a line, by the line on which it starts. */
export const groupOf = (starts: ArrayLike<number>, line: number): number | undefined => {
  const next = binarySearch(starts.length, (index) => (starts[index] ?? 0) > line)
  return next === 0 ? undefined : starts[next - 1]
}

/** `hidden` is sorted and not adjacent, relative to the first line of `base`. */
export const foldedRows = (base: Rows, hidden: readonly Hidden[]): Rows => {
  if (hidden.length === 0) return base
  /** The number of rows hidden before each of them, and in total. */
  const removed = [0]
  for (const { from, to } of hidden) removed.push((removed.at(-1) ?? 0) + base.rowOf(to) - base.rowOf(from))
  /** The index of the last item for which this holds; it must hold for all items before it. */
  const last = (holds: (fold: Hidden, index: number) => boolean): number => {
    const isAfter = (index: number): boolean => {
      const fold = hidden[index]
      return !fold || !holds(fold, index)
    }
    return binarySearch(hidden.length, isAfter) - 1
  }
  const before = (index: number): number => removed[index] ?? 0
  return {
    count: base.count,
    rowOf: (line) => {
      const index = last(({ from }) => from <= line)
      const fold = hidden[index]
      if (fold && line < fold.to) return base.rowOf(fold.from) - before(index)
      return base.rowOf(line) - before(index + 1)
    },
    lineAt: (row) => base.lineAt(row + before(last(({ from }, index) => base.rowOf(from) - before(index) <= row) + 1)),
    next: (line) => {
      const fold = hidden[last(({ from }) => from <= line + 1)]
      return fold && line + 1 < fold.to ? fold.to : line + 1
    },
  }
}
