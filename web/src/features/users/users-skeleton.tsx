import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'

export function UsersSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <LoadingText />
      <Skeleton className="h-8 w-full max-w-72 touch:h-11" />
      <ul aria-hidden="true" className="rounded-lg border border-line bg-surface">
        <li className="h-9 border-b border-line touch:h-11" />
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <li key={row} className="flex h-(--row) items-center gap-3 border-b border-line px-4 last:border-b-0">
            <Skeleton className="size-6 rounded-full" />
            <Skeleton className="h-3 w-1/4" />
          </li>
        ))}
      </ul>
    </div>
  )
}
