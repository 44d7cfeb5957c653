import { chartHeight } from './chart.ts'
import { summaryClass } from './builds-summary.tsx'
import { ExecutionsFrame } from './executions-frame.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import type { RepositoryTab } from './tab-of.ts'

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The rows of a list while it loads, 52 px each (design.md "Frame"). */
export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <>
      <LoadingText />
      <ul aria-hidden="true" className="rounded-lg border border-line bg-surface">
        {times(rows).map((row) => (
          <li key={row} className="border-b border-line last:border-b-0">
            <span className="flex h-(--row) items-center gap-3 px-4">
              <Skeleton className="size-4 rounded-full" />
              <span className="flex min-w-0 flex-1 flex-col gap-2">
                <Skeleton className="h-3 w-1/2" />
                <Skeleton className="h-2.5 w-1/3" />
              </span>
              <Skeleton className="h-3 w-16" />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * Less space than on other pages: with header, numbers and a chart of 170 px the list starts within
 * 400 px.
 */
export const pageClass = 'flex min-w-0 flex-col gap-3 md:-mt-2'

/** Summary, chart and list in their final sizes. */
export function BuildsSkeleton() {
  return (
    <div className={pageClass}>
      <div aria-hidden="true" className="rounded-lg border border-line bg-surface">
        <div className={summaryClass}>
          {times(4).map((cell) => (
            <Skeleton key={cell} className="h-4 w-16 md:w-32" />
          ))}
        </div>
        <div className="mx-4 my-2 flex items-end" style={{ height: chartHeight }}>
          <Skeleton className="h-px w-full" />
        </div>
      </div>
      <ExecutionsFrame>
        <RowsSkeleton />
      </ExecutionsFrame>
    </div>
  )
}

export function PageSkeleton({ tab }: { tab: RepositoryTab }) {
  return tab === 'builds' ? <BuildsSkeleton /> : <RowsSkeleton />
}
