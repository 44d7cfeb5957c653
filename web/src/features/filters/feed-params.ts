/** The URL of a list's Atom feed (docs/guide/feeds.md). Pure. */
import { withParams } from '../../lib/search-params.ts'
import { filterNames, type Conditions, type ListFilter } from './filter.ts'

/** Relative dates such as `7d` change, but the URL of a feed does not, so they are omitted. */
const moves = (value: string): boolean => !/^\d{4}-/.test(value)

/** `conditions` are those of `filter`; times and durations are in seconds. */
export const feedQuery = (filter: ListFilter, conditions: Conditions, show?: string): string => {
  const params = filterNames.map((name): [string, string | undefined] => {
    const isDay = name === 'since' || name === 'until'
    return [name, isDay && moves(filter[name]) ? undefined : conditions[name]?.toString()]
  })
  return withParams('', { ...Object.fromEntries(params), show })
}
