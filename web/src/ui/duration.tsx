import { formatDuration } from '../lib/duration.ts'
import { cx } from './class-names.ts'
import { useNow } from '../browser/clock.ts'

export interface DurationProps {
  started: number | undefined
  /** 0 or nothing: still under way, so it ticks. */
  finished?: number | undefined
  className?: string
}

/** `1m 04s`; ticks each second while unfinished, says a dash before the start. */
export function Duration({ started, finished, className }: DurationProps) {
  const now = useNow(started && !finished ? 'second' : 'never')
  const look = cx('tabular-nums', className)
  if (!started) return <span className={look}>–</span>
  return <span className={look}>{formatDuration((finished || now) - started)}</span>
}
