import { useState } from 'react'

import { useAddress } from '../../../browser/navigation.tsx'
import { readAnchor, type LineRange } from '../step/anchor.ts'
import type { Log } from '../source/use-log.ts'
import { useWorkerQuery } from '../source/use-worker-query.ts'

export interface Anchor {
  marked: LineRange | undefined
  /** Ignores this hash, because its lines are already visible. */
  ignoreHash: (hash: string) => void
}

/** Scrolls to the lines of `#L120-L140` once they have arrived. */
export const useAnchor = ({ store, stats, phase }: Log, onLine: (line: number) => void): Anchor => {
  const { hash } = useAddress()
  const [ignoredHash, ignoreHash] = useState('')
  const marked = readAnchor(hash)
  const isWanted = marked !== undefined && ignoredHash !== hash && stats.lines > 0
  const locate = async () => ({ hash, line: await store.locate(marked?.from ?? 1) })
  useWorkerQuery(isWanted ? `${hash} ${stats.lines} ${phase}` : undefined, locate, (found) => {
    // While the log grows the line can still arrive; at its end the nearest one is shown.
    if ((found.line >= stats.lines - 1 && phase !== 'ready') || ignoredHash === found.hash || hash !== found.hash)
      return
    ignoreHash(found.hash)
    onLine(found.line)
  })
  return { marked, ignoreHash }
}
