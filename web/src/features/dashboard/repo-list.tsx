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
/** Up to here the browser keeps every row (so its own search finds them); beyond, only those near the screen exist. */
const plainRows = 600

/** Only a long list gains by it: a row that may or may not be seen is laid out twice when its place changes. */
const laterClass = '[contain-intrinsic-size:auto_52px] [content-visibility:auto]'

export const listClass = 'divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface'

/** Rows that are not near the window are names only: each whole row, seen or not, makes every drawing of the page dearer. */
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
  /** How many there are; more than `repos` while those are the kept top of a list. */
  count: number
  all: boolean
  /** Each row has a star: the server keeps favorites. */
  starred: boolean
  /** Pixels above the list, at least. */
  above: number
  onShowAll: () => void
}

/** Drawn when it changes, not with each letter that is typed above it. */
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
