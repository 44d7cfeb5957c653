/** Why something waits, was skipped or ended: in the server's words, where it tells them (issue 15, point 4). */
import type { Build, Stage, Step } from '@flightdeck/api'

import { firstLine } from './text.ts'

export interface Reason {
  text: string
  /** When it happened, in unix seconds, where somebody did it. */
  at?: number
}

type Told = Pick<Build | Stage | Step, 'waiting' | 'ended' | 'error'>

/** `undefined`: the status says all that is known. */
export const reasonOf = ({ waiting, ended, error }: Told): Reason | undefined =>
  waiting ?? ended ?? (error ? { text: firstLine(error) } : undefined)

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
