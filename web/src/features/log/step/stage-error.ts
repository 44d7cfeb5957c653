/**
 * Which steps of a stage in error carry its error (specification §4: a step "keeps its state if
 * there are logs").
 */
import type { Stage, Step } from '@flightdeck/api'

export type ShownStep = Pick<Step, 'status' | 'name' | 'error' | 'exit_code'> &
  Partial<Pick<Step, 'number' | 'stopped'>>
export type FailedStage = Pick<Stage, 'status' | 'name' | 'error'> & { steps?: readonly ShownStep[] }

/**
 * These steps were running when the stage failed: the server ended them, or never received their
 * end.
 */
const hasBroken = ({ status }: ShownStep): boolean => status === 'error' || status === 'running'
/** How some servers end them; services next to a step with an error end in the same way. */
const wasKilled = ({ status }: ShownStep): boolean => status === 'killed'
const neverFinished = ({ status }: ShownStep): boolean => status !== 'success' && status !== 'failure'

const lastOf = (steps: readonly ShownStep[]): ShownStep | undefined =>
  steps.toSorted((a, b) => (a.stopped ?? 0) - (b.stopped ?? 0) || (a.number ?? 0) - (b.number ?? 0)).at(-1)

/**
 * The steps that show the error of their stage: those that were running when it failed. If there
 * were none, those that could not run because of it; if all had finished, the last one, so that the
 * error is shown.
 */
export const stepsInError = ({ status, steps = [] }: Omit<FailedStage, 'name'>): readonly ShownStep[] => {
  if (status !== 'error') return []
  for (const carries of [hasBroken, wasKilled, neverFinished]) {
    const found = steps.filter(carries)
    if (found.length > 0) return found
  }
  const last = lastOf(steps)
  return last ? [last] : []
}

/** Whether the stage's error explains this step, or a stage whose step is unknown. */
export const explainsStep = (stage: FailedStage, step: ShownStep | undefined): boolean => {
  if (stage.status !== 'error') return false
  if (!step || !stage.steps?.length) return true
  return stepsInError(stage).some(({ number, name }) => name === step.name && number === step.number)
}
