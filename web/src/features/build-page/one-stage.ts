/** The description of rerunning one stage, shown before the user confirms. */
import { type Stage } from '@flightdeck/api'
import { planStageRerun } from '@flightdeck/api/rerun-stage'

import { namesOf } from './reused-stages.ts'

/**
 * Null if the stage cannot be rerun alone; otherwise the stages that also run, or an empty text.
 */
export function oneStage(stage: Stage, all: readonly Stage[]): string | null {
  const part = planStageRerun(all, all, stage)
  if (!part) return null
  const passed = part.needed.some((name) => all.find((candidate) => candidate.name === name)?.status === 'success')
  const why = passed ? '' : part.needed.length === 1 ? ' (it didn’t pass)' : ' (they didn’t pass)'
  const first = part.needed.length > 0 && `runs ${namesOf(part.needed)} first${why}`
  const then = part.after.length > 0 && `then ${namesOf(part.after)}`
  return [first, then].filter((text) => text !== false).join(', ')
}
