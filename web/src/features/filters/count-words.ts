/** The number of builds that match a filter, as text. Pure. */
import type { BuildCounts } from '@flightdeck/api'

import { formatNumber } from '../../lib/text.ts'
import type { Option } from '../../ui/select-field.tsx'

/**
 * `10 000+` if older builds were not counted. Empty for zero in that case, because older builds can
 * match.
 */
const countWords = (count: number, capped: boolean): string =>
  capped && count === 0 ? '' : `${formatNumber(count)}${capped ? '+' : ''}`

/** The noun for one row of a list, and for several. */
export type Noun = readonly [one: string, several: string]

/** `1 build`, `128 builds`, `10 000+ builds`. */
export const totalWords = ({ total, capped }: BuildCounts, [singular, plural]: Noun): string => {
  const words = countWords(total, capped)
  return words && `${words} ${words === '1' ? singular : plural}`
}

/**
 * `failure (12)`. The selected option has no count: the closed menu shows its label, and the page
 * shows the total.
 */
export const withCounts = (
  options: readonly Option[],
  chosen: string,
  counts: Readonly<Record<string, number>>,
  capped: boolean,
): Option[] => {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return options.map((option) => {
    const { value, label } = option
    const words = countWords(value === '' ? all : (counts[value] ?? 0), capped)
    return value === chosen || words === '' ? option : { value, label: `${label} (${words})` }
  })
}
