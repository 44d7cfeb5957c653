import { useEffect, useReducer, useSyncExternalStore } from 'react'

import { createStore } from '../../../browser/store.ts'
import type { LogStore } from '../source/log-store.ts'
import { reduceReading, startOfReading, type Reading, type ReadingEvent } from './reading.ts'

/**
 * The reading state is outside React state, so that scrolling rerenders the lines and not the
 * console around them.
 */
export interface ReadingStore {
  get: () => Reading
  subscribe: (listener: () => void) => () => void
  dispatch: (event: ReadingEvent) => void
  /** The user has started or ended a search. */
  searching: (on: boolean) => void
}

/**
 * Receives new lines from the log itself, so that both render together. `onEnd`: the user left the
 * end, or returned to it. A search in this log leaves the end, too, while lines continue to arrive.
 */
export const readingOf = (log: LogStore, onEnd?: (atEnd: boolean) => void): ReadingStore => {
  const { get, set, subscribe } = createStore(startOfReading)
  let left = false
  let seeking = false
  const notifyEnd = (): void => onEnd?.(!left && !seeking)
  const dispatch = (event: ReadingEvent) => {
    const before = get()
    const next = reduceReading(before, event)
    set(next)
    if (next.follow === before.follow || event.type === 'led to') return
    left = !next.follow
    notifyEnd()
  }
  const searching = (on: boolean): void => {
    if (on === seeking) return
    seeking = on
    notifyEnd()
  }
  log.subscribe(() => dispatch({ type: 'grew', lines: log.getSnapshot().stats.lines, live: log.mode === 'live' }))
  return { get, subscribe, dispatch, searching }
}

/** Selects a part of the reading state; the component rerenders when that part changes. */
export const useReading = <T>({ get, subscribe }: ReadingStore, part: (reading: Reading) => T): T =>
  useSyncExternalStore(subscribe, () => part(get()))

/**
 * The whole reading state, for components that render on each scroll event. They render when React
 * has time, so that several fast events cause one render; the state is always the latest.
 */
export const useWholeReading = ({ get, subscribe }: ReadingStore): Reading => {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => subscribe(draw), [subscribe])
  return get()
}
