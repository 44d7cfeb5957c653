import { useCallback, useEffect, useRef, useState } from 'react'

import type { Query } from '../engine/query.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { MultiLogScope, Scope } from './multi-log-search.ts'
import type { Log } from '../source/use-log.ts'

const noQuery: Query = { text: '', matchCase: false, word: false, pattern: false }

export interface Hit {
  index: number
  line: number
}

/** The query is kept when the user opens a result in another step or build. */
let carried: { key: string; query: Query; scope: MultiLogScope } | undefined

const searchKeyOf = (scope: MultiLogScope, { namespace, name, build }: StepAddress): string =>
  scope === 'builds' ? `${namespace}/${name}` : `${namespace}/${name}/${build}`
const carriedTo = (address: StepAddress): typeof carried =>
  carried?.key === (carried && searchKeyOf(carried.scope, address)) ? carried : undefined

export interface LogSearch {
  scope: Scope
  setScope: (scope: Scope) => void
  /** The query and scope of a search beyond this log, if any. */
  multiLog: { query: Query; scope: MultiLogScope } | undefined
  open: boolean
  setOpen: (open: boolean) => void
  query: Query
  setQuery: (query: Query) => void
  /** The current hit. */
  current: Hit | undefined
  move: (by: 1 | -1) => void
}

export interface SearchEvents {
  onHit: (line: number) => void
  /** Called when the user starts or ends a search in this log; must be stable. */
  onOpen: (open: boolean) => void
}

/**
 * The state of the search bar; the search itself runs in the worker. `from` is the line at which
 * the search starts.
 */
export const useSearch = (
  { store, search }: Log,
  address: StepAddress,
  from: number,
  { onHit, onOpen }: SearchEvents,
): LogSearch => {
  const [carry] = useState(() => carriedTo(address))
  const [open, setShown] = useState(carry !== undefined)
  const [query, setQuery] = useState(carry?.query ?? noQuery)
  const [scope, setScope] = useState<Scope>(carry?.scope ?? 'log')
  const [current, setCurrent] = useState<Hit>()
  const requestedQuery = open && query.text !== '' ? query : undefined
  const key = scope === 'log' ? '' : searchKeyOf(scope, address)
  const latest = useRef(0)
  /** The first hit is shown while typing: the next Enter stays there once. */
  const isPreview = useRef(false)
  // The worker runs the search; the next step's console starts with the same query.
  useEffect(() => {
    carried = scope !== 'log' && requestedQuery ? { key, query: requestedQuery, scope } : undefined
    store.search(requestedQuery)
  }, [store, requestedQuery, scope, key])

  const setOpen = useCallback(
    (next: boolean) => {
      setShown(next)
      onOpen(next)
    },
    [onOpen],
  )
  const show = (index: number): void => {
    const ticket = ++latest.current
    void store.hitLine(index).then((line) => {
      if (ticket !== latest.current) return
      setCurrent({ index, line })
      onHit(line)
    })
  }

  const go = (by: 1 | -1, count: number): void => {
    if (current) {
      show((current.index + by + count) % count)
      return
    }
    const ticket = ++latest.current
    void store.firstHitFrom(from).then((index) => {
      if (ticket === latest.current) show(by === 1 ? index % count : (index - 1 + count) % count)
    })
  }
  const showFirst = async (): Promise<void> => {
    const ticket = ++latest.current
    const count = await store.found()
    if (count === 0 || ticket !== latest.current) return
    const index = await store.firstHitFrom(from)
    if (ticket !== latest.current) return
    isPreview.current = true
    show(index % count)
  }
  const move = (by: 1 | -1): void => {
    if (!requestedQuery) return
    if (isPreview.current && by === 1) {
      isPreview.current = false
      if (current) show(current.index)
      return
    }
    isPreview.current = false
    if (search?.count) {
      go(by, search.count)
      return
    }
    // Enter right after typing refers to the first hit, which the worker may not have found yet.
    const ticket = ++latest.current
    void store.found().then((count) => {
      if (count > 0 && ticket === latest.current) go(by, count)
    })
  }
  return {
    scope,
    setScope,
    multiLog: scope !== 'log' && requestedQuery ? { query: requestedQuery, scope } : undefined,
    open,
    query,
    // A hit belongs to its query.
    current: requestedQuery ? current : undefined,
    setOpen,
    setQuery: (next) => {
      latest.current++
      setCurrent(undefined)
      isPreview.current = false
      setQuery(next)
      // Deferred until after this event, when the worker has the query. Patterns are excluded: they
      // are slow, and partly typed ones match something else.
      if (scope === 'log' && next.text !== '' && !next.pattern) setTimeout(() => void showFirst())
    },
    move,
  }
}
