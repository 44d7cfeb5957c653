import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { queryOf, reposQuery } from '../api/queries.ts'
import { useMe } from '../api/session.ts'
import { unfinishedBuilds, awaitingApprovalBy } from '../features/feed/waiting.ts'
import { ToastHost } from '../ui/toast-host.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { waitingCount } from './waiting-count.ts'

export { connection, LiveUpdates } from './live/index.ts'

/**
 * Waits, because the page fetches more urgent chunks first. If the import fails, the next page load
 * tries again.
 */
setTimeout(() => void import('./update/watch-for-update.ts').catch(() => 0), 15e3)

/** Counts from lists that pages have loaded; live events keep them current. It sends no request. */
const useWaitingCount = (): void => {
  const me = useMe()
  const { data: recent = [] } = useQuery({ ...queryOf('listRecent'), enabled: false })
  const { data: repos = [] } = useQuery({ ...reposQuery(), enabled: false })
  const count = awaitingApprovalBy(me, unfinishedBuilds(recent, repos), repos).length
  useEffect(() => waitingCount.set(count), [count])
}

/** Parts of every page that are not visible at first: loaded right after the first page. */
export function DeferredShell() {
  useWaitingCount()
  return (
    <>
      <ConnectionBar />
      <ToastHost />
    </>
  )
}
