/** Rules of the build page about stages. */
import { isDone, type Build, type Stage } from '@flightdeck/api'

/** Specification §2: a stage with no steps, or of these statuses, "cannot be expanded". */
const closed = ['skipped', 'blocked', 'pending', 'waiting_on_dependencies']

export const isExpandable = (stage: Pick<Stage, 'status' | 'steps'>): boolean =>
  Boolean(stage.steps?.length) && !closed.includes(stage.status)

/**
 * Specification §4: "A build page is 'blocked' when the build is pending and the current stage is
 * blocked."
 */
export const isBlocked = (build: Pick<Build, 'status'>, stage: Pick<Stage, 'status'> | undefined): boolean =>
  build.status === 'pending' && stage?.status === 'blocked'

/**
 * The first approval starts the build while its other stages still wait; without buttons for them
 * they would wait forever. The page is then no longer 'blocked' in the specification's terms, so
 * the buttons name the stage.
 */
export const isStageWaiting = (build: Pick<Build, 'status'>, stage: Pick<Stage, 'status'> | undefined): boolean =>
  build.status === 'running' && stage?.status === 'blocked'

/** Whether the stage is not run before somebody approves it. */
export const isAwaitingApproval = (build: Pick<Build, 'status'>, stage: Pick<Stage, 'status'> | undefined): boolean =>
  isBlocked(build, stage) || isStageWaiting(build, stage)

/**
 * No event reports a stage's end unless it ends the build (docs/api §9.6). Services report running
 * until the stage has ended (docs/api §5.7); a stage with only services says nothing about its
 * progress.
 */
export const mustHaveEnded = ({ status, steps = [] }: Pick<Stage, 'status' | 'steps'>): boolean =>
  status === 'running' &&
  steps.some((step) => !step.detached) &&
  steps.every((step) => isDone(step.status) || (step.detached && step.status === 'running'))
