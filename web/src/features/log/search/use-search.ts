import { useEffect, useRef, useState } from 'react'

import type { Query } from '../engine/query.ts'
import type { Log } from '../source/use-log.ts'

const noQuery: Query = { text: '', matchCase: false, word: false, pattern: false }

export interface Hit {
  index: number
  line: number
}

/** What is looked for goes along when one follows a result to another step of the same build. */
let carried: { build: string; query: Query } | undefined

export interface LogSearch {
  /** In all steps of the build, too. */
  everywhere: boolean
  setEverywhere: (everywhere: boolean) => void
  /** What is to be looked for in all of them, if anything is. */
  buildQuery: Query | undefined
  open: boolean
  setOpen: (open: boolean) => void
  query: Query
  setQuery: (query: Query) => void
  /** The hit that is looked at. */
  current: Hit | undefined
  move: (by: 1 | -1) => void
}

/** The state of the search bar; the search itself runs in the worker. `from` is the line to begin looking at. */
export const useSearch = (
  { store, search }: Log,
  build: string,
  from: number,
  onHit: (line: number) => void,
): LogSearch => {
  const [carry] = useState(() => (carried?.build === build ? carried.query : undefined))
  const [open, setOpen] = useState(carry !== undefined)
  const [query, setQuery] = useState(carry ?? noQuery)
  const [everywhere, setEverywhere] = useState(carry !== undefined)
  const [current, setCurrent] = useState<Hit>()
  const asked = open && query.text !== '' ? query : undefined
  const latest = useRef(0)
  // The worker looks for it; and the console of the next step begins with it.
  useEffect(() => {
    carried = everywhere && asked ? { build, query: asked } : undefined
    store.search(asked)
  }, [store, asked, everywhere, build])

  const show = (index: number): void => {
    const ticket = ++latest.current
    void store.hitLine(index).then((line) => {
      if (ticket !== latest.current) return
      setCurrent({ index, line })
      onHit(line)
    })
  }

  const count = search?.count ?? 0
  const move = (by: 1 | -1): void => {
    if (count === 0) return
    if (current) {
      show((current.index + by + count) % count)
      return
    }
    void store.firstHitFrom(from).then((index) => show(by === 1 ? index % count : (index - 1 + count) % count))
  }
  return {
    everywhere,
    setEverywhere,
    buildQuery: everywhere ? asked : undefined,
    open,
    query,
    // A hit belongs to its query.
    current: asked ? current : undefined,
    setOpen,
    setQuery: (next) => {
      latest.current++
      setCurrent(undefined)
      setQuery(next)
    },
    move,
  }
}
