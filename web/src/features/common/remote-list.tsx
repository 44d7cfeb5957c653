import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { failedRead } from '../../api/query-client.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { useRowFocus } from '../../browser/use-row-focus.ts'

function Loading() {
  return (
    <>
      <LoadingText />
      <ul aria-hidden="true" className="rounded-lg border border-line bg-surface">
        {[1, 2, 3].map((row) => (
          <li key={row} className="flex h-(--row) items-center gap-3 border-b border-line px-4 last:border-b-0">
            <Skeleton className="h-3 w-1/3" />
          </li>
        ))}
      </ul>
    </>
  )
}

interface RemoteListProps<T> {
  query: UseQueryResult<T[]>
  /** For example "secrets", as in "The secrets could not be loaded". */
  what: string
  /** What to do if the list is empty; without it, an empty list shows nothing. */
  hint?: string
  children: (item: T) => ReactNode
}

/**
 * A list loaded from the server, in each of its states. The form below it stays mounted in all of
 * them.
 */
export function RemoteList<T>(props: RemoteListProps<T>) {
  return (
    <div ref={useRowFocus()} className="contents">
      <Rows {...props} />
    </div>
  )
}

function Rows<T>({ query: { data, error, refetch, isFetching }, what, hint, children }: RemoteListProps<T>) {
  if (!data && error) {
    return <ErrorState {...failedRead(`The ${what}`, { error, isFetching, refetch })} />
  }
  if (!data) return <Loading />
  if (data.length === 0) return hint && <EmptyState title="It looks a little empty here!" message={hint} />
  return <ul className="overflow-hidden rounded-lg border border-line bg-surface">{data.map(children)}</ul>
}

export function ListRow({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <li className="flex min-h-(--row) items-center gap-3 border-b border-line py-(--row-space) pr-2 pl-4 last:border-b-0">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">{children}</div>
      {action}
    </li>
  )
}
