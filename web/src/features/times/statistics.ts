/**
 * Statistics of a step's durations, in whole seconds. Changes are detected with Pettitt's test: it
 * compares ranks, so that a single outlier has no effect, and needs at least ten runs on each side.
 */

/** The value below which this part of the values lies; 0 for no values. */
export const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ?? 0
}
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The minimum number of runs on each side of a change. */
const minRuns = 10
/** The probability that a series without a change looks like one. */
const maxChance = 0.01
/** Smaller changes are ignored: in seconds, and as a fraction of the previous duration. */
const minSeconds = 2
const minFraction = 0.2

/** Ranks from 1; equal values share a rank. */
const ranksOf = (values: readonly number[]): number[] => {
  const order = [...values.keys()].toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = values.map(() => 0)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++
    for (const index of order.slice(from, to)) ranks[index] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}

/** The start of the second part, if it is unlikely to be chance. */
const splitOf = (values: readonly number[]): number | undefined => {
  const count = values.length
  let sum = 0
  let best = { at: 0, size: 0 }
  for (const [index, rank] of ranksOf(values).entries()) {
    sum += 2 * rank - (count + 1)
    const at = index + 1
    if (Math.abs(sum) > best.size) best = { at, size: Math.abs(sum) }
  }
  const chance = 2 * Math.exp((-6 * best.size ** 2) / (count ** 3 + count ** 2))
  // Only this split, not the nearest valid one: otherwise a change would be reported for an earlier
  // run.
  const hasBoth = best.at >= minRuns && count - best.at >= minRuns
  return hasBoth && chance < maxChance ? best.at : undefined
}

export interface Change {
  /** The first run with the new duration. */
  at: number
  /** The medians of the similar runs before it, and of the runs from it on. */
  before: number
  after: number
}

const isWorthTelling = (before: number, after: number): boolean =>
  Math.abs(after - before) >= Math.max(minSeconds, minFraction * before)

/** The last change, if it is large enough: after each split, the rest is tested again. */
export const lastChange = (seconds: readonly number[]): Change | undefined => {
  const cuts = [0]
  for (let from = 0; ;) {
    const at = splitOf(seconds.slice(from))
    if (at === undefined) break
    from += at
    cuts.push(from)
  }
  const at = cuts.at(-1) ?? 0
  const since = cuts.at(-2)
  if (since === undefined) return undefined
  const [before, after] = [median(seconds.slice(since, at)), median(seconds.slice(at))]
  return isWorthTelling(before, after) ? { at, before, after } : undefined
}
