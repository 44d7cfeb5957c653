/** Why something waits, was skipped or ended: in the server's words, where it tells them. */
import { isDone, type Build, type Stage, type Step } from '@flightdeck/api'

import { firstLine } from './text.ts'

export interface Reason {
  text: string
  /** When it happened, in unix seconds, where somebody did it. */
  at?: number
}

type Told = Pick<Build | Stage | Step, 'waiting' | 'ended' | 'error'> & { status?: string }

/** `undefined`: the status says all that is known. What is over waits for nothing. */
export const reasonOf = ({ waiting, ended, error, status = '' }: Told): Reason | undefined =>
  (isDone(status) ? undefined : waiting) ?? ended ?? (error ? { text: firstLine(error) } : undefined)

/** What the head of a build's page says beside its status; its error stands there by itself. */
export const statusReason = (build: Told): Reason | undefined =>
  build.waiting || build.ended ? reasonOf(build) : undefined

/** What is said above everything of a build is not said again of each of its parts. */
export const unsaid = (reason: Reason | undefined, said: string | undefined): Reason | undefined =>
  reason?.text === said ? undefined : reason

const silent = <T extends Stage | Step>({ waiting: _waiting, ...rest }: T) => rest

/** A build that is over waits for nothing, whatever a server says of what it left blocked: no approval is possible any more. */
export const withoutWaiting = (build: Build): Build => {
  const { stages } = build
  if (!isDone(build.status) || !stages) return build
  if (!stages.some((stage) => stage.waiting ?? stage.steps?.some((step) => step.waiting))) return build
  const told = (stage: Stage): Stage => ({
    ...silent(stage),
    ...(stage.steps && { steps: stage.steps.map((step): Step => silent(step)) }),
  })
  return { ...build, stages: stages.map(told) }
}

/**
 * The status as a list names it: a build that waits for somebody's word is pending for the server, and blocked for everybody
 * else. Where only the stages tell, none of them may wait for something else or run.
 */
export const shownStatus = ({ status, waiting, stages = [] }: Pick<Build, 'status' | 'waiting' | 'stages'>): string => {
  if (status !== 'pending') return status
  if (waiting) return waiting.reason === 'approval' ? 'blocked' : status
  const isBlocked = stages.some((stage) => stage.status === 'blocked')
  return isBlocked && !stages.some((stage) => stage.status === 'pending') ? 'blocked' : status
}
