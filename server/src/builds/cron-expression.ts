/** The expressions of cron jobs (docs/api §2.5): five or six fields, seconds first, or `@daily` and the like. */
import { Cron as Schedule } from 'croner'

export interface CronExpression {
  /** The first time after `now`, both in unix seconds. */
  next(now: number): number
  /** It names times closer than a minute to each other, which Drone takes, too: such a job starts once a minute. */
  readonly isTooOften: boolean
}

/** Between two starts of a job. */
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

/** A duration as Go writes it (`1h30m`), in seconds; `null` if it is none. */
const parseDuration = (text: string): number | null => {
  if (!duration.test(text)) return null
  let seconds = 0
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/gy)) {
    seconds += Number(count) * (unitSeconds[unit ?? ''] ?? 0)
  }
  // Longer than a century is a slip of the finger, and beyond what a date can hold.
  return seconds > 100 * 366 * 86_400 ? null : seconds
}

const value = /^(?:\d{1,2}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)$/i
const isRange = (text: string): boolean => {
  const bounds = text.split('-')
  return text === '*' || text === '?' || (bounds.length <= 2 && bounds.every((bound) => value.test(bound)))
}
/** What Drone's cron knows; the library would also take `L`, `W` and `#`. */
const isField = (text: string): boolean =>
  text.split(',').every((part) => {
    const [range = '', ...steps] = part.split('/')
    return isRange(range) && steps.length <= 1 && steps.every((step) => /^\d{1,2}$/.test(step))
  })

const parseFields = (text: string): string | null => {
  const fields = text.split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) return null
  if (!fields.every(isField)) return null
  // `?` means any here; the library would put the present time in its place. `5/10` begins at 5 and has no end.
  return [...fields, '*'].slice(0, 6).join(' ').replaceAll('?', '*')
}

/** `null` if the text is no expression, or one that never fires (30 February). */
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
      domAndDow: needsBothDays(fields),
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

/** Among three times of one expression two share a minute if any do. */
const hasSeveralSeconds = (schedule: Schedule, first: number): boolean => {
  const times = [first, ...schedule.nextRuns(2, new Date(first * 1000)).map((date) => date.getTime() / 1000)]
  return times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < minIntervalSeconds)
}

/**
 * Drone's rule for the days of the month and of the week: where one of them begins with `*`, also with a step, both must match, else one
 * is enough.
 */
const needsBothDays = (fields: string): boolean => {
  const [, , , day = '', , weekday = ''] = fields.split(' ')
  return [day, weekday].some((field) => field.split(',').some((part) => part.startsWith('*')))
}

/**
 * Why nobody may make a new job of this expression, in a sentence for people; `null` if there is no more to say than that it is none.
 */
export const explainExpression = (text: string): string | null => {
  const fields = text.trim().split(/\s+/)
  if (fields.length === 5 && fields.every(isField)) {
    return `"${fields.join(' ')}" has five fields, but the seconds come first here: write "0 ${fields.join(' ')}"`
  }
  return null
}
