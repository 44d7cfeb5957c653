import { isDone, type Build } from '@flightdeck/api'

import type { StageOrStep } from './stage-or-step.ts'

/** The maximum number of stages to name; of more, only the number is shown. */
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
  if (isDone(build.status) || waiting.length === 0) return null
  const more = waiting.length - maxNamed
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3">
      {waiting.slice(0, maxNamed).map((stage) => (
        <button
          key={stage.number}
          type="button"
          className="min-w-0 truncate rounded-sm text-left underline decoration-from-font underline-offset-2 hover:no-underline touch:min-h-11"
          onClick={() => onStage({ stage: stage.number })}
        >
          {stage.name} waits for approval
        </button>
      ))}
      {more > 0 && <span>and {more} more</span>}
    </span>
  )
}
