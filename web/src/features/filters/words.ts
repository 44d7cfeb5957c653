/** The filters' labels, and their values as the page shows them. */
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

/** Dates that a list offers, as the address has them. */
export const quickDates = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
] as const

const isDate = (name: FilterName): boolean => name === 'since' || name === 'until'
const dateWords = (value: string): string => {
  try {
    // The time does not matter: only a written date is shown as one.
    return /^\d{4}-/.test(value) ? formatDay(readDay(value, 0).start) : value
  } catch {
    return value
  }
}

/** `Status: failure`, `Last 7 days`; a value with a fault as it was written. */
export const chipWords = (name: FilterName, value: string): { label: string; value: string } => {
  const quick = name === 'since' ? quickDates.find((date) => date.value === value) : undefined
  if (quick) return { label: 'Date', value: quick.label }
  return { label: labels[name], value: isDate(name) ? dateWords(value) : value.replaceAll('_', ' ') }
}
