import { useEffect, useMemo, useState } from 'react'

import { groupOf, hiddenBy, type Hidden } from './folding.ts'
import type { Log } from '../source/use-log.ts'

export interface Folds {
  hidden: readonly Hidden[]
  /** Whether the group that begins at this line is folded. */
  isFolded: (line: number) => boolean
  toggle: (line: number) => void
  /** Unfolds what hides this line. */
  show: (line: number) => void
  foldAll: () => void
  unfoldAll: () => void
  any: boolean
}

const none: ReadonlySet<number> = new Set()
const nothing: readonly Hidden[] = []

/** Which commands' output is folded away. The groups themselves are known to the worker, and asked for when first needed. */
export const useFolds = ({ store, stats }: Log): Folds => {
  const [folded, setFolded] = useState(none)
  const [known, setKnown] = useState<{ of: string; starts: Uint32Array }>()
  const state = `${stats.version} ${stats.groups}`
  const needed = folded.size > 0
  useEffect(() => {
    if (!needed || known?.of === state) return
    void store.groups().then((starts) => setKnown({ of: state, starts }))
  }, [store, needed, known, state])
  const starts = known?.starts
  const hidden = useMemo(
    () => (needed && starts ? hiddenBy(folded, starts, stats.lines) : nothing),
    [needed, folded, starts, stats.lines],
  )
  const without = (line: number): ReadonlySet<number> => new Set([...folded].filter((one) => one !== line))
  return {
    hidden,
    isFolded: (line) => folded.has(line),
    toggle: (line) => setFolded(folded.has(line) ? without(line) : new Set([...folded, line])),
    show: (line) => {
      const group = starts && groupOf(starts, line)
      if (group !== undefined && group !== line && folded.has(group)) setFolded(without(group))
    },
    foldAll: () =>
      void store.groups().then((all) => {
        setKnown({ of: state, starts: all })
        setFolded(new Set(all))
      }),
    unfoldAll: () => setFolded(none),
    any: needed,
  }
}
