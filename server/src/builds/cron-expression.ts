/**
 * The expressions of cron jobs (docs/api §2.5): five or six fields, seconds first, or `@daily` and
 * the like.
 */
import { Cron as Schedule } from 'croner'

export interface CronExpression {
  /** The first time after `now`, both in unix seconds. */
  next(now: number): number
  /**
   * Its times are less than a minute apart, which Drone accepts, too; such a job starts once a
   * minute.
   */
  readonly isTooOften: boolean
}

/** Minimum seconds between two starts of a job. */
export const minIntervalSeconds = 60

const named: Record<string, string> = {
  '@yearly': '0 0 0 1 1 *',
  '@annually': '0 0 0 1 1 *',
  '@monthly': '0 0 0 1 * *',
  '@weekly': '0 0 0 * * 0',
  '@daily': '0 0 0 * * *',
  '@midnight': '0 0 0 * * *',
  '@hourly': '0 0 * * * *',
}

const unitSeconds: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }
const duration = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/

/** Parses a Go duration (`1h30m`) into seconds; `null` if it is invalid. */
const parseDuration = (text: string): number | null => {
  if (!duration.test(text)) return null
  let seconds = 0
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/gy)) {
    seconds += Number(count) * (unitSeconds[unit ?? ''] ?? 0)
  }
  // More than a century is a typo, and beyond the range of a date.
  return seconds > 100 * 366 * 86_400 ? null : seconds
}

/** The largest step of each field that still yields a second value. */
const maxSteps = [59, 59, 23, 30, 11, 6]
const minValues = ['0', '0', '0', '1', '1', '0']

const value = /^(?:\d{1,2}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)$/i
const isRange = (text: string): boolean => {
  const bounds = text.split('-')
  return text === '*' || text === '?' || (bounds.length <= 2 && bounds.every((bound) => value.test(bound)))
}
/** A number as Go parses it: a sign and leading zeros are allowed. */
const plainNumber = (text: string): string => (/^\+?\d{1,9}$/.test(text) ? `${Number(text)}` : text)

/**
 * Converts a part of a field to the library's form; `null` if Drone's cron does not support it. The
 * library also supports `L`, `W` and `#`.
 */
const readPart = (part: string, field: number): string | null => {
  const [given = '', ...steps] = part.split('/')
  // Drone ignores the text after `*-`.
  const range = /^\*-[^-]*$/.test(given) ? '*' : given.split('-').map(plainNumber).join('-')
  const [step] = steps.map(plainNumber)
  if (!isRange(range) || steps.length > 1) return null
  if (step === undefined) return range
  if (!/^\d+$/.test(step)) return null
  if (Number(step) <= (maxSteps[field] ?? 0)) return `${range}/${step}`
  return /^[*?]$/.test(range) ? (minValues[field] ?? null) : (range.split('-')[0] ?? null)
}

const readField = (text: string, field: number): string | null => {
  // Drone's cron ignores empty items between commas.
  const parts = text.split(',').filter((part) => part !== '')
  const read = parts.map((part) => readPart(part, field))
  return parts.length === 0 || read.includes(null) ? null : read.join(',')
}

const readFields = (text: string): string[] | null => {
  const fields = text.split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) return null
  const read = fields.map(readField).filter((field) => field !== null)
  return read.length === fields.length ? read : null
}

/**
 * `?` means any value here; the library would use the current time. `5/10` starts at 5 and has no
 * end.
 */
const parseFields = (text: string): string | null => {
  const fields = readFields(text)
  return fields && [...fields, '*'].slice(0, 6).join(' ').replaceAll('?', '*')
}

/** `null` if the text is not an expression, or never fires (30 February). */
export const parseCronExpression = (text: string, timeZone: string): CronExpression | null => {
  const trimmed = text.trim()
  if (trimmed.length > 250) return null
  const every = /^@every\s+(\S+)$/.exec(trimmed)
  if (every) {
    const seconds = parseDuration(every[1] ?? '')
    if (seconds === null) return null
    const interval = Math.max(minIntervalSeconds, Math.floor(seconds))
    return { next: (now) => now + interval, isTooOften: seconds < minIntervalSeconds }
  }
  const fields = named[trimmed] ?? parseFields(trimmed)
  if (fields === null || fields === undefined) return null
  try {
    const schedule = new Schedule(fields, {
      mode: '6-part',
      timezone: timeZone,
      sloppyRanges: true,
      paused: true,
      domAndDow: needsBothDays(trimmed),
    })
    const after = (now: number): number => {
      const date = schedule.nextRun(new Date(now * 1000))
      return date ? Math.floor(date.getTime() / 1000) : 0
    }
    const first = after(Math.floor(Date.now() / 1000))
    if (first === 0) return null
    const isTooOften = hasSeveralSeconds(schedule, first)
    return { next: (now) => after(isTooOften ? now + minIntervalSeconds - 1 : now), isTooOften }
  } catch {
    return null
  }
}

/** If any two times of an expression share a minute, so do two of its first three. */
const hasSeveralSeconds = (schedule: Schedule, first: number): boolean => {
  const times = [first, ...schedule.nextRuns(2, new Date(first * 1000)).map((date) => date.getTime() / 1000)]
  return times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < minIntervalSeconds)
}

/**
 * Drone's rule for the days of the month and of the week: if one of them starts with `*`, also with
 * a step, both must match, otherwise one is enough.
 */
const needsBothDays = (expression: string): boolean => {
  const [, , , day = '', , weekday = '*'] = expression.split(/\s+/)
  return [day, weekday].some((field) => field.split(',').some((part) => /^[*?]/.test(part)))
}

/**
 * In Drone's cron Sunday is 0: converts a part with a 7, or a range that ends on Sunday, to that
 * form; returns other parts unchanged.
 */
const weekdayPart = (part: string): string => {
  const sunday = /^(?:7|sun)$/i
  const [range = '', step] = part.split('/')
  const [from = '', to] = range.split('-')
  if (to === undefined) return from === '7' ? part.replace('7', '0') : part
  if (sunday.test(from) ? from !== '7' : !sunday.test(to)) return part
  if (from === '7') return '0'
  return step === undefined ? (/^sat$|^6$/i.test(from) ? '6,0' : `${from}-6,0`) : `${from}-6/${step}`
}

/**
 * Why a new job cannot have this expression, as a sentence for users; `null` if it is valid or the
 * reason is unknown. Existing jobs can have it.
 */
export const explainExpression = (text: string): string | null => {
  const fields = readFields(text.trim())
  if (!fields) return null
  const given = text.trim().split(/\s+/)
  const days = (fields.at(-1) ?? '').split(',')
  const weekday = days.map(weekdayPart)
  const isKnown = weekday.join() === days.join()
  const form = [...given.slice(0, -1), isKnown ? given.at(-1) : [...new Set(weekday.join().split(','))].join()].join(
    ' ',
  )
  if (fields.length === 5)
    return `"${given.join(' ')}" has five fields, but the seconds come first here: write "0 ${form}"`
  return isKnown ? null : `the days of the week are 0 (Sunday) to 6: write "${form}"`
}
