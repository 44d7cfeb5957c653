import { useEffect, useRef, useState } from 'react'

import type { Query } from '../../lib/log/search.ts'
import type { Log } from './use-log.ts'

const noQuery: Query = { text: '', matchCase: false, word: false, pattern: false }

export interface Hit {
  index: number
  line: number
}

export interface LogSearch {
  open: boolean
  setOpen: (open: boolean) => void
  query: Query
  setQuery: (query: Query) => void
  /** The hit that is looked at. */
  current: Hit | undefined
  move: (by: 1 | -1) => void
}

/** The state of the search bar; the search itself runs in the worker. `from` is the line to begin looking at. */
export const useSearch = ({ store, search }: Log, from: number, onHit: (line: number) => void): LogSearch => {
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState(noQuery)
  const [current, setCurrent] = useState<Hit>()
  const asked = open && query.text !== '' ? query : undefined
  const latest = useRef(0)

  useEffect(() => store.search(asked), [store, asked])

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
