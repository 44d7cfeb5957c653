import { formatAge, formatDate, formatRelative } from '../lib/time.ts'
import { useNow } from '../browser/clock.ts'
import { timeFormStore } from '../browser/display.ts'
import { useStore } from '../browser/store.ts'

/**
 * A Date's range is 8.64e15 milliseconds before and after 1970; other servers can send any number.
 */
const isDate = (seconds: number): boolean => Math.abs(seconds) <= 8.64e12

/**
 * Relative up to a week unless the user prefers absolute times, with the absolute time in the
 * tooltip (design.md "Words"). 0 is never.
 */
export function RelativeTime({
  seconds,
  short = false,
  className,
}: {
  seconds: number
  /** Uses the short form. */
  short?: boolean
  className?: string
}) {
  const now = useNow('minute')
  const isAbsolute = useStore(timeFormStore) === 'absolute' && !short
  if (!seconds) return <span className={className}>never</span>
  if (!isDate(seconds)) return <span className={className}>unknown</span>
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={formatDate(seconds)} className={className}>
      {isAbsolute ? formatDate(seconds) : (short ? formatAge : formatRelative)(seconds, now)}
    </time>
  )
}

/** An absolute time in the specification's format. */
export function AbsoluteTime({ seconds, className }: { seconds: number; className?: string }) {
  if (!seconds) return <span className={className}>never</span>
  if (!isDate(seconds)) return <span className={className}>unknown</span>
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} className={className}>
      {formatDate(seconds)}
    </time>
  )
}
