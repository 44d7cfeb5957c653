import { isDone, neverRanStatuses } from '@flightdeck/api'

const two = (value: number): string => String(value).padStart(2, '0')

/** `4s`, `1m 04s`, `2h 00m 09s` (design.md "Words"). */
export const formatDuration = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(whole % 60)}s`
  if (minutes > 0) return `${minutes}m ${two(whole % 60)}s`
  return `${whole}s`
}

/**
 * Whether its duration still grows. A declined build keeps a finish of 0, even if stages ran before
 * (docs/api §5.5).
 */
export const isUnfinished = (status: string, started: number | undefined, finished: number | undefined): boolean =>
  Boolean(started) && !finished && !isDone(status)

/** Servers set the start and the end of builds and steps that never ran to the same second. */
export const neverRan = (status: string, started: number | undefined, finished: number | undefined): boolean =>
  started === finished && neverRanStatuses.includes(status)
