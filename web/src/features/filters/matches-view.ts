/** Whether the latest build of a repository matches a saved view of the feed. */
import type { Repo } from '@flightdeck/api'

import { readAddress, readConditions } from './filter.ts'
import { matchesFilter } from './matches-filter.ts'

/** `now`: in seconds since 1970. A text also matches the name of the repository, as in the feed. */
export const matchesView = ({ slug, build }: Repo, query: string, now: number): boolean => {
  if (!build) return false
  const { text, ...others } = readConditions(readAddress(new URLSearchParams(query), 'feed'), now).conditions
  const named = text !== undefined && slug.toLowerCase().includes(text.toLowerCase())
  return matchesFilter(build, named ? others : { ...others, ...(text !== undefined && { text }) }, now)
}
