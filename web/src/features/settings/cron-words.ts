/**
 * Cron expressions in plain English (docs/api §2.5: seconds first, six fields, or `@daily` and the
 * like).
 */

import { listOf } from '../../lib/text.ts'

const monthNames = 'January February March April May June July August September October November December'.split(' ')
const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const macros: Readonly<Record<string, string>> = {
  '@yearly': 'On January 1 at 00:00',
  '@annually': 'On January 1 at 00:00',
  '@monthly': 'On day 1 of every month at 00:00',
  '@weekly': 'Every Sunday at 00:00',
  '@daily': 'Every day at 00:00',
  '@midnight': 'Every day at 00:00',
  '@hourly': 'Every hour, on the hour',
}

interface Unit {
  name: string
  names?: readonly string[]
  /** The number of the first name. */
  first?: number
}
const units = {
  second: { name: 'second' },
  minute: { name: 'minute' },
  hour: { name: 'hour' },
  day: { name: 'day' },
  month: { name: 'month', names: monthNames, first: 1 },
  weekday: { name: 'day of the week', names: dayNames, first: 0 },
} satisfies Record<string, Unit>

const isAny = (field: string): boolean => field === '*' || field === '?'
const isNumber = (field: string): boolean => /^\d+$/.test(field)
const two = (text: string): string => text.padStart(2, '0')

const valueOf = (text: string, { names, first = 0 }: Unit): string => {
  if (!names) return text
  if (isNumber(text)) return names[(Number(text) - first) % names.length] ?? text
  return names.find((name) => name.toUpperCase().startsWith(text.toUpperCase())) ?? text
}

/** One part of a list, for example `1-5`, or `10/15`. */
const partOf = (part: string, unit: Unit): string => {
  const [range = '', step] = part.split('/')
  const [from = '', to] = range.split('-')
  const values = to === undefined ? valueOf(from, unit) : `${valueOf(from, unit)} to ${valueOf(to, unit)}`
  if (step === undefined) return values
  const every =
    step === '1' ? `every ${unit.name}` : `every ${step} ${unit.name === 'day of the week' ? 'days' : `${unit.name}s`}`
  if (isAny(range)) return every
  return to === undefined ? `${every} from ${values}` : `${every} from ${values}`
}
const fieldWords = (field: string, unit: Unit): string => listOf(field.split(',').map((part) => partOf(part, unit)))
const isStep = (field: string): boolean => /^[*?]\/\d+$/.test(field)

const clock = (hour: string, minute: string, second: string): string =>
  `${two(hour)}:${two(minute)}${second === '0' ? '' : `:${two(second)}`}`

/** The time of the day; `undefined` for every second. */
const timeWords = (second: string, minute: string, hour: string): string => {
  const hours = hour.split(',')
  if (isNumber(second) && isNumber(minute) && hours.every(isNumber))
    return `at ${listOf(hours.map((each) => clock(each, minute, String(Number(second)))))}`
  const at = second === '0' || second === '00' ? '' : isAny(second) ? 'every second' : ''
  const seconds =
    at || second === '0' || second === '00'
      ? at
      : isStep(second)
        ? fieldWords(second, units.second)
        : `at second ${fieldWords(second, units.second)}`
  const minutes = isAny(minute)
    ? seconds
      ? ''
      : 'every minute'
    : isStep(minute)
      ? fieldWords(minute, units.minute)
      : Number(minute) === 0 && isAny(hour)
        ? 'on the hour'
        : `at minute ${fieldWords(minute, units.minute)}`
  const hourWords = isAny(hour)
    ? isNumber(minute)
      ? 'every hour'
      : ''
    : isStep(hour)
      ? fieldWords(hour, units.hour)
      : `in the hours ${fieldWords(hour, units.hour)}`
  return [hourWords, minutes, seconds].filter((words) => words !== '').join(', ')
}

const weekdayWords = (weekday: string): string => {
  if (weekday === '1-5' || /^mon-fri$/i.test(weekday)) return 'from Monday to Friday'
  return `on ${fieldWords(weekday, units.weekday)}`
}

const hasStar = (field: string): boolean => field.split(',').some((part) => part.startsWith('*'))

/** Drone's rule: if one of the two starts with `*` both must match, otherwise one is enough. */
const dayWords = (day: string, month: string, weekday: string): string => {
  const inMonth = isAny(month) ? '' : `in ${fieldWords(month, units.month)}`
  const onDay = isAny(day)
    ? ''
    : isStep(day)
      ? `on ${fieldWords(day, units.day)}`
      : `on day ${fieldWords(day, units.day)}`
  const onWeekday = isAny(weekday) ? '' : weekdayWords(weekday)
  if (onDay && onWeekday)
    return [`${onDay} ${hasStar(day) || hasStar(weekday) ? 'and' : 'or'} ${onWeekday}`, inMonth]
      .filter(Boolean)
      .join(', ')
  if (onDay) return `${onDay} ${inMonth || 'of every month'}`
  return [onWeekday, inMonth].filter(Boolean).join(', ')
}

/** `undefined` if it is not a valid expression. */
export const readCron = (expression: string): string | undefined => {
  const text = expression.trim()
  const every = /^@every\s+(\S+)$/.exec(text)
  if (every) return `Every ${every[1]}, counted from the last run`
  const macro = macros[text]
  if (macro) return macro
  const fields = text.split(/\s+/)
  if (fields.length !== 6 || !fields.every((field) => /^[\dA-Za-z*/,?-]+$/.test(field))) return undefined
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  const days = dayWords(day, month, weekday)
  const time = timeWords(second, minute, hour)
  const isAtOnce = time.startsWith('at ') && !time.startsWith('at minute') && !time.startsWith('at second')
  const words =
    days === '' ? (isAtOnce ? `every day ${time}` : time) : isAtOnce ? `${days} ${time}` : `${days}: ${time}`
  return words.charAt(0).toUpperCase() + words.slice(1)
}
