/** Why a text is no cron expression, as a sentence for users. */

const fields = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day of the week', min: 0, max: 6 },
] as const

const order = 'second, minute, hour, day of the month, month, day of the week'
const maxShownChars = 60
const shown = (text: string): string =>
  JSON.stringify(text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text)

/** `null` if the reason is unknown. */
export function explainInvalid(expression: string): string | null {
  const text = expression.trim()
  const [first = '', ...others] = text.split(/\s+/)
  if (/^(CRON_)?TZ=/i.test(first))
    return `leave out ${shown(first)}: the server sets the time zone of all cron jobs (--time-zone)`
  if (/^@every$/i.test(first)) return 'write a duration with hours, minutes or seconds, such as "@every 1h30m"'
  if (first.startsWith('@'))
    return `${shown(first)} is unknown: write @hourly, @daily, @weekly, @monthly, @yearly or "@every 1h30m"`
  const given = [first, ...others]
  // Drone's text (docs/api §2.5, recorded for four fields).
  if (given.length < fields.length) return null
  if (given.length > fields.length) return `it has ${given.length} fields, but needs six: ${order}`
  for (const [index, field] of fields.entries()) {
    const value = given[index] ?? ''
    const why = explainField(value, field)
    if (why !== null) return `${shown(value)} is no ${field.name}: ${why}`
  }
  return 'no day has this date'
}

function explainField(text: string, { min, max, name }: (typeof fields)[number]): string | null {
  if (/[LW#]/.test(text.replaceAll(/jul|wed/gi, '')) && name.startsWith('day'))
    return 'L, W and # are not supported; write days as numbers or names'
  const allowed = `write a number from ${min} to ${max}`
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/')
    if (step !== undefined && !/^\+?0*[1-9]\d*$/.test(step)) return 'a step is a number from 1'
    const bounds = range.split('-')
    if (bounds.some((bound) => /^\d+$/.test(bound) && (Number(bound) < min || Number(bound) > max))) return allowed
    if (bounds.length > 2) return 'a range has two ends'
    const [from = '', to = from] = bounds
    if (/^\d+$/.test(from) && /^\d+$/.test(to) && Number(from) > Number(to)) return 'a range starts with its lower end'
    if (bounds.some((bound) => !/^(\+?\d+|\*|\?|[a-z]{3}|)$/i.test(bound))) return allowed
  }
  return null
}
