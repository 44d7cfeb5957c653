import { chartHeight } from './chart.ts'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import type { RepositoryTab } from './tab-of.ts'

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Rows of a list before they come, 52 px each (design.md "Frame"). */
export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <>
      <LoadingText />
      <ul aria-hidden="true" className="rounded-lg border border-line bg-surface">
        {times(rows).map((row) => (
          <li key={row} className="border-b border-line last:border-b-0">
            <span className="flex h-13 items-center gap-3 px-4">
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

/** Summary, chart and list, of the geometry of what comes. */
export function BuildsSkeleton() {
  return (
    <>
      <div
        aria-hidden="true"
        className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-surface md:grid-cols-4"
      >
        {times(4).map((cell) => (
          <span key={cell} className="flex h-19 flex-col gap-2 px-4 py-3">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-6 w-24" />
          </span>
        ))}
      </div>
      <div
        aria-hidden="true"
        className="box-content flex items-end rounded-lg border border-line bg-surface p-4"
        style={{ height: chartHeight }}
      >
        <Skeleton className="h-1/2 w-full" />
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="text-lg font-semibold">Executions</h2>
        <RowsSkeleton />
      </div>
    </>
  )
}

export function PageSkeleton({ tab }: { tab: RepositoryTab }) {
  return tab === 'builds' ? <BuildsSkeleton /> : <RowsSkeleton />
}
