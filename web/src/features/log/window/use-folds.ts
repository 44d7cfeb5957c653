import { useCallback, useMemo, useState } from 'react'

import { groupOf, hiddenBy, type Hidden } from './folding.ts'
import type { LogStats } from '../engine/protocol.ts'
import type { Log } from '../source/use-log.ts'
import { useWorkerQuery } from '../source/use-worker-query.ts'

export interface Folds {
  hidden: readonly Hidden[]
  /** Whether the group that starts at this line is folded. */
  isFolded: (line: number) => boolean
  toggle: (line: number) => void
  /** Unfolds the group that hides this line. */
  show: (line: number) => void
  foldAll: () => void
  unfoldAll: () => void
  any: boolean
}

const none: ReadonlySet<number> = new Set()
const nothing: readonly Hidden[] = []

const without = (folded: ReadonlySet<number>, line: number): ReadonlySet<number> =>
  new Set([...folded].filter((other) => other !== line))

/** Changes whenever the groups change. */
const stateOf = ({ version, groups }: LogStats): string => `${version} ${groups}`

/** The folded commands. The worker knows the groups, which are requested when first needed. */
export const useFolds = ({ store, stats }: Log): Folds => {
  const [folded, setFolded] = useState(none)
  const [known, setKnown] = useState<{ of: string; starts: Uint32Array }>()
  const state = stateOf(stats)
  const any = folded.size > 0
  useWorkerQuery(
    any && known?.of !== state ? state : undefined,
    () => store.groups(),
    (starts, of) => setKnown({ of, starts }),
  )
  const starts = known?.starts
  const hidden = useMemo(
    () => (any && starts ? hiddenBy(folded, starts, stats.lines) : nothing),
    [any, folded, starts, stats.lines],
  )
  // Stable functions, so that rows and tools do not rerender.
  const toggle = useCallback(
    (line: number) => setFolded((now) => (now.has(line) ? without(now, line) : new Set([...now, line]))),
    [],
  )
  const show = useCallback(
    (line: number) => {
      const group = starts && groupOf(starts, line)
      if (group !== undefined && group !== line) setFolded((now) => (now.has(group) ? without(now, group) : now))
    },
    [starts],
  )
  const foldAll = useCallback(() => {
    const of = stateOf(store.getSnapshot().stats)
    void store.groups().then((all) => {
      setKnown({ of, starts: all })
      setFolded(new Set(all))
    })
  }, [store])
  const unfoldAll = useCallback(() => setFolded(none), [])
  return { hidden, isFolded: (line) => folded.has(line), toggle, show, foldAll, unfoldAll, any }
}
