import type { Query } from '@tanstack/react-query'

import { queryClient } from '../../api/query-client.ts'
import { mergeInto } from './cache.ts'
import type { BuildEventMessage } from './merge-lists.ts'

/**
 * Events that a pending request may have missed. If there are more, the server sends them faster
 * than they can be merged one by one.
 */
const remembered = 500
/** A hidden page renders no frames, so events are merged by a timer. */
const hiddenPeriod = 250
/**
 * Minimum milliseconds between two renders in a burst: a render costs the same for one event or
 * five.
 */
const burstPeriod = 200

interface Received {
  at: number
  event: BuildEventMessage
}

/** Collects events and merges them once per frame, so that a burst causes one render. */
export const createInbox = () => {
  const cache = queryClient.getQueryCache()
  let waiting: BuildEventMessage[] = []
  let recent: Received[] = []
  let clock = 0
  let frame: number | undefined
  let flushedAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe: (() => void) | undefined
  const startedAt = new WeakMap<Query, number>()

  const flush = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = undefined
    timer = undefined
    const events = waiting
    waiting = []
    flushedAt = performance.now()
    if (events.length > 0) mergeInto(cache.getAll(), events)
  }

  /**
   * A response can be older than an event that arrived while it was pending, so such events are
   * merged into it again.
   */
  const onAnswer = (query: Query): void => {
    // A request that started before this inbox existed has seen none of its events.
    const since = startedAt.get(query) ?? 0
    const missed = recent.filter(({ at }) => at > since).map(({ event }) => event)
    // Not inside the cache's notification about this response.
    if (missed.length > 0) queueMicrotask(() => mergeInto([query], missed))
  }

  return {
    open: (): void => {
      unsubscribe ??= cache.subscribe((notice) => {
        if (notice.type !== 'updated') return
        if (notice.action.type === 'fetch') startedAt.set(notice.query, clock)
        else if (notice.action.type === 'success' && !notice.action.manual) onAnswer(notice.query)
      })
    },
    add: (event: BuildEventMessage): void => {
      clock += 1
      waiting.push(event)
      recent = [...recent, { at: clock, event }].slice(-remembered)
      const quietInMs = flushedAt + burstPeriod - performance.now()
      if (document.visibilityState === 'hidden') timer ??= setTimeout(flush, hiddenPeriod)
      else if (quietInMs > 0) timer ??= setTimeout(flush, quietInMs)
      else frame ??= requestAnimationFrame(flush)
    },
    close: (): void => {
      flush()
      recent = []
      unsubscribe?.()
      unsubscribe = undefined
    },
  }
}
