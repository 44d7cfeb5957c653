/** The expressions of cron jobs (docs/api §2.5): five or six fields, seconds first, or `@daily` and the like. */
import { Cron as Schedule } from 'croner'

export interface CronExpression {
  /** The first time after `now`, both in unix seconds. */
  next(now: number): number
}

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

/** A duration as Go writes it (`1h30m`), in whole seconds and at least one; `null` if it is none. */
const parseDuration = (text: string): number | null => {
  if (!duration.test(text)) return null
  let seconds = 0
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/gy)) {
    seconds += Number(count) * (unitSeconds[unit ?? ''] ?? 0)
  }
  // Longer than a century is a slip of the finger, and beyond what a date can hold.
  return seconds > 100 * 366 * 86_400 ? null : Math.max(1, Math.floor(seconds))
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
    return seconds === null ? null : { next: (now) => now + seconds }
  }
  const fields = named[trimmed] ?? parseFields(trimmed)
  if (fields === null || fields === undefined) return null
  try {
    const schedule = new Schedule(fields, { mode: '6-part', timezone: timeZone, sloppyRanges: true, paused: true })
    const next = (now: number): number => {
      const date = schedule.nextRun(new Date(now * 1000))
      return date ? Math.floor(date.getTime() / 1000) : 0
    }
    return next(Math.floor(Date.now() / 1000)) > 0 ? { next } : null
  } catch {
    return null
  }
}
