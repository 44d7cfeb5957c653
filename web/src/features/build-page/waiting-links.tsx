import { isDone, type Build } from '@flightdeck/api'

import { useNarrow } from '../../browser/use-narrow.ts'
import type { StageOrStep } from './stage-or-step.ts'

/** The maximum number of stages to name, on a phone one; of more, only the number is shown. */
const maxNamed = 3

interface WaitingLinksProps {
  build: Build
  /** The number of the shown stage, for which the page shows the approval itself. */
  current: number
  onStage: (to: StageOrStep) => void
}

/** Links to the stages that wait for approval. A running build does not show them otherwise. */
export function WaitingLinks({ build, current, onStage }: WaitingLinksProps) {
  const waiting = (build.stages ?? []).filter(({ status, number }) => status === 'blocked' && number !== current)
  const named = useNarrow() ? 1 : maxNamed
  if (isDone(build.status) || waiting.length === 0) return null
  const more = waiting.length - named
  return (
    <span className="flex min-w-0 items-center gap-x-3 md:flex-wrap">
      {waiting.slice(0, named).map((stage) => (
        <button
          key={stage.number}
          type="button"
          className="min-w-0 truncate rounded-sm text-left underline decoration-from-font underline-offset-2 hover:no-underline touch:min-h-11"
          onClick={() => onStage({ stage: stage.number })}
        >
          {stage.name} is waiting for approval
        </button>
      ))}
      {more > 0 && <span className="shrink-0">and {more} more</span>}
    </span>
  )
}
