/**
 * Counts the loaded builds that match a filter, as Flightdeck's server counts those of the history
 * (docs/api §2.4). Pure.
 */
import type { Build, BuildCounts } from '@flightdeck/api'

import type { Conditions } from './filter.ts'

type Facet = 'status' | 'event'

const tally = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The count of each menu option ignores the menu's own condition. */
export const countLoaded = <T>(
  items: readonly T[],
  buildOf: (item: T) => Build,
  matches: (item: T, conditions: Conditions) => boolean,
  conditions: Conditions,
): BuildCounts => {
  const countsOf = (facet: Facet) => {
    const { [facet]: _, ...others } = conditions
    return tally(items.filter((item) => matches(item, others)).map((item) => buildOf(item)[facet]))
  }
  return {
    total: items.filter((item) => matches(item, conditions)).length,
    capped: false,
    statuses: countsOf('status'),
    events: countsOf('event'),
  }
}
