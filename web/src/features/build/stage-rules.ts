/** Rules of the build page about stages. */
import type { Build, Stage } from '@flightdeck/api'

/** Specification §2: a stage with no steps, or of these statuses, "cannot be expanded". */
const closed = ['skipped', 'blocked', 'pending', 'waiting_on_dependencies']

export const isExpandable = (stage: Pick<Stage, 'status' | 'steps'>): boolean =>
  Boolean(stage.steps?.length) && !closed.includes(stage.status)

/** Specification §4: "A build page is 'blocked' when the build is pending and the current stage is blocked." */
export const isBlocked = (build: Pick<Build, 'status'>, stage: Pick<Stage, 'status'> | undefined): boolean =>
  build.status === 'pending' && stage?.status === 'blocked'
