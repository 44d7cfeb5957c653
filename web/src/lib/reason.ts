/** Why something waits, was skipped or ended, with the server's text if it sends one. */
import { firstLine, isDone, type Build, type Stage, type Step } from '@flightdeck/api'

export interface Reason {
  text: string
  /** When it happened, in Unix seconds, if a user did it. */
  at?: number
}

type Explained = Pick<Build | Stage | Step, 'waiting' | 'ended' | 'error'> & { status?: string }

/** `undefined` if the status is all that is known. A finished entity waits for nothing. */
export const reasonOf = ({ waiting, ended, error, status = '' }: Explained): Reason | undefined =>
  (isDone(status) ? undefined : waiting) ?? ended ?? (error ? { text: firstLine(error) } : undefined)

/** The reason in the build page's header, beside the status; an error has its own section. */
export const statusReason = (build: Explained): Reason | undefined =>
  build.waiting || build.ended ? reasonOf(build) : undefined

/** The reason of a stage or step, unless the page header already shows it. */
export const unlessRepeated = (reason: Reason | undefined, repeated: string | undefined): Reason | undefined =>
  reason?.text === repeated ? undefined : reason

const silent = <T extends Stage | Step>({ waiting: _waiting, ...rest }: T) => rest

/**
 * A finished build waits for nothing, even if the server left stages blocked: they can't be
 * approved any more.
 */
export const withoutWaiting = (build: Build): Build => {
  const { stages } = build
  if (!isDone(build.status) || !stages) return build
  if (!stages.some((stage) => stage.waiting ?? stage.steps?.some((step) => step.waiting))) return build
  const withReason = (stage: Stage): Stage => ({
    ...silent(stage),
    ...(stage.steps && { steps: stage.steps.map((step): Step => silent(step)) }),
  })
  return { ...build, stages: stages.map(withReason) }
}

/**
 * The status shown in a list: a build that awaits approval is pending for the server, and blocked
 * here. If only its stages show that, no stage may be running or waiting for something else.
 */
export const shownStatus = ({ status, waiting, stages = [] }: Pick<Build, 'status' | 'waiting' | 'stages'>): string => {
  if (status !== 'pending') return status
  if (waiting) return waiting.reason === 'approval' ? 'blocked' : status
  const isBlocked = stages.some((stage) => stage.status === 'blocked')
  return isBlocked && !stages.some((stage) => stage.status === 'pending') ? 'blocked' : status
}
