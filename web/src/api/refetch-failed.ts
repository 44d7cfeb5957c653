/**
 * Recovers a page that was loaded while the server was unreachable. Retrying the failed queries would make the page flicker, so the
 * server's version is polled instead, and failed queries are refetched once it responds.
 */
import type { Query } from '@tanstack/react-query'

import { client } from './client.ts'
import { isStatus, queryClient } from './query-client.ts'

/** The interval between two polls. */
const firstMs = 2_000
const maxMs = 15_000

/** It is on the page, has never been read, and the server failed, or nothing or only a proxy answered. */
const isUnanswered = (query: Query): boolean =>
  query.isActive() &&
  query.state.data === undefined &&
  query.state.fetchStatus === 'idle' &&
  isStatus(query.state.error, 0, 500, 502, 503, 504)

const anyUnanswered = (): boolean => queryClient.getQueryCache().getAll().some(isUnanswered)

const isServerReachable = async (): Promise<boolean> => {
  try {
    return (await fetch(client.url('/version'), { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Watches all reads; answers how to stop that. */
export const watchFailedReads = (): (() => void) => {
  let waitMs = firstMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (): void => {
    timer ??= setTimeout(() => void poll(), waitMs)
  }
  const poll = async (): Promise<void> => {
    waitMs = Math.min(waitMs * 2, maxMs)
    if (anyUnanswered() && (await isServerReachable())) await queryClient.refetchQueries({ predicate: isUnanswered })
    timer = undefined
    if (anyUnanswered()) schedule()
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
