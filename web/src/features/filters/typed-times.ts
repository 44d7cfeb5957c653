/** Parses and formats dates and durations, as typed and as stored in the URL. */

const dayExamples = 'Use a date such as 2026-11-27, or today, 7d or 30d.'
const durationExamples = 'Use a duration such as 90s, 10m or 1h30m.'
const maxDurationSeconds = 366 * 86_400

interface Day {
  /** Unix seconds, in the user's time zone. */
  start: number
  /** The first second of the next day. */
  end: number
}

const dayAt = (year: number, month: number, day: number): Day => ({
  start: new Date(year, month, day).getTime() / 1000,
  end: new Date(year, month, day + 1).getTime() / 1000,
})

/**
 * Parses `2026-11-27`, `today`, or `7d` (the first of the last seven days, including today). Throws
 * a `RangeError` with the valid formats.
 */
export const readDay = (text: string, now: number): Day => {
  const days = text === 'today' ? 1 : Number(/^([1-9]\d{0,3})d$/.exec(text)?.[1])
  const today = new Date(now * 1000)
  if (days >= 1) return dayAt(today.getFullYear(), today.getMonth(), today.getDate() - days + 1)
  const [year = 0, month = 0, day = 0] = /^\d{4}-\d\d-\d\d$/.test(text) ? text.split('-').map(Number) : []
  const date = new Date(year, month - 1, day)
  const isDate = year >= 1970 && date.getMonth() === month - 1 && date.getDate() === day
  if (!isDate) throw new RangeError(`“${text.slice(0, 50)}” is not a date. ${dayExamples}`)
  return dayAt(year, month - 1, day)
}

/** `2026-11-27`, in the user's time zone. */
export const dayText = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The seconds of `90s`, `10m`, `1h30m`. Throws a `RangeError` with the valid formats. */
export const readDuration = (text: string): number => {
  const parts = /^(?:(\d{1,4})\s*h\s*)?(?:(\d{1,5})\s*m(?:in)?\s*)?(?:(\d{1,7})\s*s)?$/i.exec(text.trim())
  const [hours = 0, minutes = 0, seconds = 0] = (parts?.slice(1) ?? []).map((part) => Number(part ?? 0))
  const total = hours * 3600 + minutes * 60 + seconds
  if (!parts || total === 0) throw new RangeError(`“${text.slice(0, 50)}” is not a duration. ${durationExamples}`)
  if (total > maxDurationSeconds) throw new RangeError('A duration must be at most a year.')
  return total
}
