/**
 * Recovers a page that was loaded while the server was unreachable. Retrying the failed queries
 * would make the page flicker, so the server's version is polled instead, and failed queries are
 * refetched once it responds. A query that failed with 500 is refetched only if the version failed,
 * too: a working server's error is not retried (specification §7).
 */
import type { Query } from '@tanstack/react-query'

import { client } from './client.ts'
import { isStatus, queryClient } from './query-client.ts'

/** The interval between two polls. */
const firstMs = 2_000
const maxMs = 15_000

/** The query is shown, has never succeeded, and the server failed or was unreachable. */
const isUnanswered = (query: Query): boolean =>
  query.isActive() &&
  query.state.data === undefined &&
  query.state.fetchStatus === 'idle' &&
  isStatus(query.state.error, 0, 500, 502, 503, 504)

const anyQuery = (predicate: (query: Query) => boolean): boolean => queryClient.getQueryCache().getAll().some(predicate)

const isServerReachable = async (): Promise<boolean> => {
  try {
    return (await fetch(client.url('/version'), { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Watches all queries; returns a function that stops it. */
export const watchFailedReads = (): (() => void) => {
  let waitMs = firstMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (): void => {
    timer ??= setTimeout(() => void poll(), waitMs)
  }
  /** When the server was last found unreachable, in Unix milliseconds. */
  let downAt = 0
  const isDue = (query: Query): boolean =>
    isUnanswered(query) && (!isStatus(query.state.error, 500) || query.state.errorUpdatedAt <= downAt)
  const poll = async (): Promise<void> => {
    waitMs = Math.min(waitMs * 2, maxMs)
    const isDown = anyQuery(isUnanswered) && !(await isServerReachable())
    if (isDown) downAt = Date.now()
    else await queryClient.refetchQueries({ predicate: isDue })
    timer = undefined
    if (isDown || anyQuery(isDue)) schedule()
    else waitMs = firstMs
  }
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if ((type === 'updated' || type === 'observerAdded') && isUnanswered(query)) schedule()
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
