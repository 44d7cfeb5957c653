import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'

export function WallLoading() {
  return (
    <>
      <LoadingText text="Loading repositories" />
      <div className="grid h-full grid-cols-2 gap-3 lg:grid-cols-4">
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index} className="size-full" />
        ))}
      </div>
    </>
  )
}
