/** Chooses the person to poll next while no change is known: the request that covers the most. */
import type { List, Reader, Target } from './poll-targets.ts'

export type PollItem = { reader: Reader } | { target: Target } | { list: List }

export interface Choice {
  now: number
  people: readonly Reader[]
  targets: readonly Target[]
  lists?: readonly List[]
  /** When a repository was last in a person's recent builds, by slug. */
  covered: ReadonlyMap<string, number>
  times: { first: number; longest: number }
}

/** A target that has not been viewed for this long is polled with backoff. */
const patienceMs = 10 * 60_000
/**
 * Targets that the recent builds contain anyway, which are polled at the same rate, wait longer by
 * this fraction.
 */
const grace = 0.04

/**
 * Milliseconds since the question for this build should have been asked; below zero it is not its
 * turn yet.
 */
function lateness(target: Target, { now, times: { first, longest } }: Choice): number {
  const { lookers, pages, requestedAt, listed } = target
  if (pages.size === 0) return now - Math.max(requestedAt, listed) - first * (1 + grace)
  // Its end is in a list that is polled anyway: only its stages are left.
  const isListed = now - listed < first * 2
  const pause = isListed ? Math.min(longest, first * Math.max(1, (now - latest(lookers.values())) / patienceMs)) : first
  return now - requestedAt - pause
}

/**
 * The same for a list: new builds of the repository are in a person's recent ones, or must be
 * polled.
 */
const latenessOfList = ({ slug, requestedAt }: List, { now, covered, times: { first } }: Choice): number =>
  now - Math.max(requestedAt, covered.get(slug) ?? 0) - first * (1 + grace)

/** The builds of one repository that are due and are in lists only: one list covers all of them. */
export const lateListed = (slug: string, choice: Choice): Target[] =>
  choice.targets.filter((one) => {
    const isListed = one.slug === slug && one.pages.size === 0 && !one.isOlder
    return isListed && one.asking === 0 && lateness(one, choice) >= 0
  })

export function chooseNext(choice: Choice): PollItem | null {
  const { now, people, targets, lists = [], covered, times } = choice
  let best: { item: PollItem; steps: number; count: number; age: number } | undefined
  const offer = (item: PollItem, steps: number, count: number, age: number): void => {
    const isBetter =
      !best ||
      steps > best.steps ||
      (steps === best.steps && (count > best.count || (count === best.count && age > best.age)))
    if (isBetter) best = { item, steps, count, age }
  }
  for (const target of targets) {
    const lateMs = lateness(target, choice)
    if (target.asking === 0 && lateMs >= 0) offer({ target }, stepsOf(lateMs, times.first), 1, lateMs)
  }
  for (const list of lists) {
    const lateMs = latenessOfList(list, choice)
    if (list.asking === 0 && lateMs >= 0) offer({ list }, stepsOf(lateMs, times.first), 2, lateMs)
  }
  for (const reader of people) {
    const age = now - reader.lastTurn
    if (reader.asking || reader.state === 'refused' || age < times.first) continue
    // Targets in the answers of others are already up to date.
    const ages = [...reader.slugs].map((slug) => now - (covered.get(slug) ?? 0)).filter((one) => one >= times.first)
    offer({ reader }, ages.length > 0 ? stepsOf(latest(ages) - times.first, times.first) : -1, ages.length, age)
  }
  return best?.item ?? null
}

/** Not `Math.max(...)`: a server may list more than a call can take arguments. */
const latest = (times: Iterable<number>): number => {
  let max = -Infinity
  for (const time of times) if (time > max) max = time
  return max
}

/**
 * In steps of a second of five, so that a person who sees more comes before one who is slightly
 * overdue.
 */
const stepsOf = (lateMs: number, first: number): number => Math.floor((lateMs * 5) / first)
