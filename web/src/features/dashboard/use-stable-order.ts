import type { Repo } from '@flightdeck/api'
import { useMemo, useState } from 'react'

import { useListeners } from '../../browser/use-listeners.ts'
import { keepOrder } from './stable-order.ts'

/** A user who has scrolled this far is reading the list. */
const reads = (): boolean => scrollY > 160
const slug = (repo: Repo): string => repo.slug

/**
 * The sorted list, with a stable order while the user reads it: live updates change rows without
 * moving them, and `waiting` is true when the current sort order differs (design.md, rule 6).
 */
export const useStableOrder = (sorted: readonly Repo[]): { repos: readonly Repo[]; waiting: boolean } => {
  const [shown, setShown] = useState(sorted)
  const [reading, setReading] = useState(reads)
  useListeners('window', { scroll: () => setReading(reads()) }, { passive: true })
  if (!reading && shown !== sorted) setShown(sorted)
  const repos = useMemo(() => (reading ? keepOrder(shown, sorted, slug) : sorted), [reading, shown, sorted])
  return { repos, waiting: repos !== sorted }
}
