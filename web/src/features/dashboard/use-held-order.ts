import type { Repo } from '@flightdeck/api'
import { useMemo, useState } from 'react'

import { useListeners } from '../../browser/use-listeners.ts'
import { inOrderOf } from './held-order.ts'

/** A reader that has scrolled this far reads the list. */
const reads = (): boolean => scrollY > 160
const slug = (repo: Repo): string => repo.slug

/**
 * The sorted list, whose rows keep their places while somebody reads: live updates change them where they stand, and
 * `waiting` tells that the order is another one by now (design.md, rule 6).
 */
export const useHeldOrder = (sorted: readonly Repo[]): { repos: readonly Repo[]; waiting: boolean } => {
  const [shown, setShown] = useState(sorted)
  const [reading, setReading] = useState(reads)
  useListeners('window', { scroll: () => setReading(reads()) }, { passive: true })
  if (!reading && shown !== sorted) setShown(sorted)
  const repos = useMemo(() => (reading ? inOrderOf(shown, sorted, slug) : sorted), [reading, shown, sorted])
  return { repos, waiting: repos !== sorted }
}
