/** Whose turn it is while nothing is known to have happened (issue 14, point 3): the question that tells the most. */
import type { Reader, Target } from './watched.ts'

export type Turn = { reader: Reader } | { target: Target }

export interface Choice {
  now: number
  people: readonly Reader[]
  targets: readonly Target[]
  /** When a repository last stood in somebody's recent builds, by slug. */
  covered: ReadonlyMap<string, number>
  times: { first: number; longest: number }
}

/** What nobody has looked at for so long is asked for ever less often. */
const patienceMs = 10 * 60_000

/** Milliseconds since the question for this build should have been asked; below zero it is not its turn yet. */
function lateness({ lookers, asked }: Target, { now, times: { first, longest } }: Choice): number {
  const looked = latest(lookers.values())
  const pause = Math.min(longest, first * Math.max(1, (now - looked) / patienceMs))
  return now - asked - pause
}

export function chooseNext(choice: Choice): Turn | null {
  const { now, people, targets, covered, times } = choice
  let best: { turn: Turn; late: number; count: number; age: number } | undefined
  const offer = (turn: Turn, late: number, count: number, age: number): void => {
    const isBetter =
      !best ||
      late > best.late ||
      (late === best.late && (count > best.count || (count === best.count && age > best.age)))
    if (isBetter) best = { turn, late, count, age }
  }
  for (const target of targets) {
    const late = lateness(target, choice)
    if (!target.asking && late >= 0) offer({ target }, stepsOf(late, times.first), 1, late)
  }
  for (const reader of people) {
    const age = now - reader.turn
    if (reader.asking || reader.state === 'refused' || age < times.first) continue
    // Those in the answers of others have been looked at already.
    const ages = [...reader.slugs].map((slug) => now - (covered.get(slug) ?? 0)).filter((one) => one >= times.first)
    offer({ reader }, ages.length > 0 ? stepsOf(latest(ages) - times.first, times.first) : -1, ages.length, age)
  }
  return best?.turn ?? null
}

/** Not `Math.max(...)`: a server may list more than a call can take arguments. */
const latest = (times: Iterable<number>): number => {
  let most = -Infinity
  for (const time of times) if (time > most) most = time
  return most
}

/** In steps of a second of five, so that who sees more comes before who is late by a little. */
const stepsOf = (late: number, first: number): number => Math.floor((late * 5) / first)
