/** The history shown next to a failed step's name: figures only, and only from three cases. */
import type { StepHistory } from '@flightdeck/api'

import { formatNumber } from '../../lib/text.ts'

/** The number of commits that must have failed and passed before a step is called flaky. */
const minCases = 3

const thisYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const anyYear = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' })

/** `Nov 2`, with the year if it is not this year. */
export const dayOf = (seconds: number, now: number): string => {
  const [day, today] = [new Date(seconds * 1000), new Date(now * 1000)]
  return (day.getFullYear() === today.getFullYear() ? thisYear : anyYear).format(day)
}

export const countOf = ({ times, more, repos }: NonNullable<StepHistory['seen']>): string =>
  `${formatNumber(times)}${more ? '+' : ''} times${repos > 1 ? ` in ${formatNumber(repos)} repositories` : ''}`

type Runs = NonNullable<StepHistory['runs']>

/** `Failed in 4 of the last 20 runs on main`. */
export const figuresOf = ({ branch, count, failed }: Runs): string => {
  const place = branch === undefined ? '' : ` on ${branch}`
  if (failed === count) return `Failed in all of the last ${count} runs${place}`
  return `Failed in ${failed} of the last ${count} runs${place}`
}

export const isFlaky = (runs: Runs | undefined): boolean => (runs?.mixed.length ?? 0) >= minCases

/** `3 of these commits also passed when re-run unchanged`. */
export const mixedOf = ({ mixed }: Runs): string => `${mixed.length} of these commits also passed when re-run unchanged`

/** Short texts for the step, most important first; empty if it has no history. */
export const shortWords = ({ seen, runs }: Partial<StepHistory>, now: number): string[] => [
  ...(runs && isFlaky(runs)
    ? [`Flaky: failed in ${runs.failed} of ${runs.count} runs, ${runs.mixed.length} commits also passed`]
    : []),
  ...(seen ? [`Seen ${countOf(seen)} since ${dayOf(seen.since, now)}`] : []),
  ...(runs && !isFlaky(runs) && runs.failed > 1 ? [figuresOf(runs)] : []),
]
