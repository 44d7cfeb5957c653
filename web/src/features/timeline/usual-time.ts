/** Compares a duration with the usual one. Pure, in whole seconds. */
import type { UsualTime, UsualTimes } from '@flightdeck/api'

import { formatDuration } from '../../lib/duration.ts'

/** By stage and step; `undefined` if too little is known. */
export const usualTimeFinder = (times: UsualTimes | undefined) => {
  const keyOf = (stage: string, step: string): string => JSON.stringify([stage, step])
  const known = new Map((times?.steps ?? []).map((step) => [keyOf(step.stage, step.step), step]))
  return (stage: string, step: string): UsualTime | undefined => known.get(keyOf(stage, step))
}

/**
 * `+12s` or `−5s` compared with the median, if outside the usual range; a running one can only be
 * too slow. Both times are rounded, so a difference of one second means nothing.
 */
export const deviationOf = (seconds: number, usual: UsualTime, isFinished: boolean): string | undefined => {
  if (Math.abs(seconds - usual.median) <= 1) return undefined
  if (seconds > usual.high) return `+${formatDuration(seconds - usual.median)}`
  return isFinished && seconds < usual.low ? `−${formatDuration(usual.median - seconds)}` : undefined
}

/** The remaining time of a build that has been running for so long. */
export const remainingTimeText = (seconds: number, { low, high }: UsualTime): string => {
  if (seconds > high) return 'Taking longer than usual'
  const [min, max] = [Math.max(0, low - seconds), high - seconds]
  if (max <= 1) return 'Almost done'
  if (formatDuration(min) === formatDuration(max)) return `About ${formatDuration(max)} left`
  return min <= 1 ? `At most ${formatDuration(max)} left` : `${formatDuration(min)} to ${formatDuration(max)} left`
}
