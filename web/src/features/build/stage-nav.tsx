import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { watchHands } from './in-sight.ts'
import { StageRow, type StageNavProps } from './stage-row.tsx'

/** Specification §2, Log view: "a left navigation 'Pipeline stages' with a counter". */
export function StageNav(props: StageNavProps) {
  const { build } = props
  const stages = (build?.stages ?? []).toSorted((a, b) => a.number - b.number)
  return (
    <nav
      ref={watchHands}
      aria-label="Pipeline stages"
      className="flex h-full min-h-0 flex-col overflow-y-auto bg-canvas"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 px-4">
        <h2 className="font-medium">Pipeline stages</h2>
        {build && (
          <span className="text-sm text-muted tabular-nums">
            {stages.length} {stages.length === 1 ? 'stage' : 'stages'}
          </span>
        )}
      </div>
      {!build && (
        <div className="flex flex-col gap-2 px-4">
          <LoadingText text="Loading stages" />
          {['w-full', 'w-5/6', 'w-3/4'].map((width) => (
            <Skeleton key={width} className={`h-7 ${width}`} />
          ))}
        </div>
      )}
      {build && stages.length === 0 && <EmptyState title="It looks a little empty here!" />}
      {/* Below the last row there is room for "Follow the build". */}
      <ul className="flex flex-col gap-0.5 px-2 pb-16">
        {stages.map((one) => (
          // Of another build it is another stage, which begins anew.
          <StageRow key={`${props.number} ${one.number}`} {...props} one={one} />
        ))}
      </ul>
    </nav>
  )
}
