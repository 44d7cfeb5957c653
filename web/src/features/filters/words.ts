/** The labels of filters, and their values as text. */
import { formatDay } from '../../lib/time.ts'
import type { FilterName } from './filter.ts'
import { readDay } from './typed-times.ts'

export const labels: Record<FilterName, string> = {
  text: 'Text',
  status: 'Status',
  event: 'Event',
  branch: 'Branch',
  environment: 'Environment',
  author: 'Author',
  since: 'From',
  until: 'To',
  longer: 'Longer than',
  shorter: 'Shorter than',
}

/** The dates that a list offers, in the format of the URL. */
export const quickDates = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
] as const

const isDate = (name: FilterName): boolean => name === 'since' || name === 'until'
const dateWords = (value: string): string => {
  try {
    // The current time does not matter, because only absolute dates are formatted.
    return /^\d{4}-/.test(value) ? formatDay(readDay(value, 0).start) : value
  } catch {
    return value
  }
}

/** `Status: failure`, `Last 7 days`; an invalid value unchanged. */
export const chipWords = (name: FilterName, value: string): { label: string; value: string } => {
  const quick = name === 'since' ? quickDates.find((date) => date.value === value) : undefined
  if (quick) return { label: 'Date', value: quick.label }
  return { label: labels[name], value: isDate(name) ? dateWords(value) : value.replaceAll('_', ' ') }
}
