import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'

/** Nodes of the graph's size (design.md), while its code loads. */
export function GraphSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center gap-18 overflow-hidden p-6">
      <LoadingText text="Loading graph" />
      <Skeleton className="h-14 w-50 shrink-0" />
      <Skeleton className="h-14 w-50 shrink-0 max-md:hidden" />
      <Skeleton className="h-14 w-50 shrink-0 max-lg:hidden" />
    </div>
  )
}
