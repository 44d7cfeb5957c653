import type { Build } from '@flightdeck/api'

import type { Via } from '../../browser/navigation.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { statusReason } from '../../lib/reason.ts'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { watchInput } from './scroll-row-into-view.ts'
import type { StageOrStep } from './stage-or-step.ts'
import { StageRow } from './stage-row.tsx'
import { usePortion } from '../../ui/use-portion.tsx'

export interface StageNavProps {
  namespace: string
  name: string
  number: number
  build: Build | undefined
  /** The stage and step that are shown. */
  selected: Required<StageOrStep>
  via: Via | undefined
  /**
   * Must be a stable function. Called when a step is clicked; on narrow screens its console opens.
   */
  onStep: () => void
}

/** Specification §2, Log view: "a left navigation 'Pipeline stages' with a counter". */
export function StageNav({ namespace, name, number, build, selected, via, onStep }: StageNavProps) {
  const headerReason = build && statusReason(build)?.text
  const stages = (build?.stages ?? []).toSorted((a, b) => a.number - b.number)
  const { visible, more } = usePortion(
    stages.length,
    stages.findIndex((candidate) => candidate.number === selected.stage),
  )
  return (
    <nav
      ref={watchInput}
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
      {/* Space for "Follow the build" below the last row. */}
      <ul className="flex flex-col gap-0.5 px-2 pb-16">
        {stages.slice(0, visible).map((stageItem) => {
          const inPath = stageItem.number === selected.stage
          return (
            <StageRow
              // The key includes the build: the same stage of another build starts with fresh
              // state.
              key={`${number} ${stageItem.number}`}
              {...{ namespace, name, number, one: stageItem, onStep }}
              shown={inPath ? selected.step : undefined}
              via={inPath ? via : undefined}
              headerReason={headerReason}
            />
          )
        })}
        {more && <li className="p-2">{more}</li>}
      </ul>
    </nav>
  )
}
