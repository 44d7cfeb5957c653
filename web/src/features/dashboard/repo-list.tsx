import { rowPixels } from '../../browser/display.ts'
import type { Repo } from '@flightdeck/api'
import { memo, Suspense, useRef } from 'react'

import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../lib/text.ts'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RowEnd } from './deferred-parts.ts'
import { RepoRow, rowClass } from './repo-row.tsx'
import { useRenderedRows } from './use-rendered-rows.ts'

const VirtualRows = lazyPart(async () => (await import('./virtual-rows.tsx')).VirtualRows)

/** Specification §9: "Repository list initial size 50". */
const firstRows = 50
/**
 * Up to this number the browser keeps every row, so that its own search finds them; beyond, only
 * rows near the viewport exist.
 */
const plainRows = 600

/**
 * Only long lists benefit: a row whose visibility is unknown is laid out twice when its position
 * changes.
 */
const laterClass = '[contain-intrinsic-size:auto_52px] [content-visibility:auto]'

export const listClass = 'divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface'

/**
 * Rows far from the viewport only have a name: each complete row, visible or not, makes every
 * render slower.
 */
function PlainRows({ repos, starred, above = 0 }: { repos: readonly Repo[]; starred: boolean; above?: number }) {
  const list = useRef<HTMLUListElement>(null)
  const renderedRows = useRenderedRows(list, rowPixels(), above)
  return (
    <ul ref={list} className={listClass}>
      {repos.map((repo, index) => (
        <li key={repo.slug} className={`relative ${index < firstRows ? 'contain-content' : laterClass}`}>
          <RepoRow repo={repo} asText={index >= renderedRows} starred={starred} />
          {starred && index < renderedRows && (
            <Suspense>
              <RowEnd repo={repo} />
            </Suspense>
          )}
        </li>
      ))}
    </ul>
  )
}

export interface RepoListProps {
  repos: readonly Repo[]
  /** The total number; more than `repos` while they are the cached top of the list. */
  count: number
  all: boolean
  /** Each row has a star, because the server stores favorites. */
  starred: boolean
  /** The minimum number of pixels above the list. */
  above: number
  onShowAll: () => void
}

/** Memoized, so that it does not rerender with each letter typed above it. */
export const RepoList = memo(function RepoList({ repos, count, all, starred, above, onShowAll }: RepoListProps) {
  if (all && repos.length > plainRows) {
    return (
      <Suspense fallback={<PlainRows repos={repos.slice(0, firstRows)} starred={starred} />}>
        <VirtualRows repos={repos} starred={starred} />
      </Suspense>
    )
  }
  const shown = all ? repos : repos.slice(0, firstRows)
  const hidden = count - shown.length
  return (
    <>
      <PlainRows repos={shown} starred={starred} above={above} />
      {hidden > 0 && !all && (
        <div className="flex items-center justify-center gap-3">
          <Button onClick={onShowAll}>Show more</Button>
          <span className="text-sm text-muted">{formatNumber(hidden)} more</span>
        </div>
      )}
    </>
  )
})

export function RepoListSkeleton() {
  return (
    <div className={listClass} aria-hidden="true">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className={rowClass}>
          <Skeleton className="size-4 rounded-full" />
          <span className="flex flex-col gap-1.5">
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </span>
          <Skeleton className="hidden h-3.5 lg:block" />
          <Skeleton className="hidden h-3.5 lg:block" />
          <Skeleton className="h-3.5 w-16 justify-self-end" />
          <Skeleton className="hidden h-3.5 lg:block" />
        </div>
      ))}
    </div>
  )
}
