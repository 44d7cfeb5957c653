import { useNow } from '../../browser/clock.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** The time of day, which also shows that the wall is still running. */
export function Clock() {
  const date = new Date(useNow('second') * 1000)
  return (
    <time className="wall-clock text-2xl font-semibold tabular-nums" dateTime={date.toISOString()}>
      {`${two(date.getHours())}:${two(date.getMinutes())}`}
    </time>
  )
}
