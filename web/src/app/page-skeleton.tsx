import { LoadingText, Skeleton } from '../ui/skeleton.tsx'

/** The skeleton of a page of unknown type: header and rows at their usual positions. */
export function PageSkeleton() {
  return (
    <div>
      <LoadingText />
      <div className="border-b border-line px-4 py-3 md:px-6">
        <Skeleton className="my-1 h-6 w-40" />
      </div>
      <div className="mx-auto flex max-w-[88rem] flex-col gap-3 p-4 md:p-6">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} className="h-(--row) w-full" />
        ))}
      </div>
    </div>
  )
}
