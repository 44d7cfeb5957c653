/**
 * Handles a runner that is known to be lost: ends or requeues its stages without waiting for the
 * heartbeat timeout.
 */
import type { Stage } from '@flightdeck/api'
import { listRemoteStages, setRemote } from '../../store/remote-stages.ts'
import { findStage, updateStage } from '../../store/stages.ts'
import { changeBuild, required, type CiContext } from '../context.ts'
import type { LogClosers } from '../delayed-log-close.ts'
import { reportStage } from '../stage-report.ts'
import { OptimisticLockError } from '../../lib/refusal.ts'

/** Puts a stage that was accepted but not started back into the queue. */
export async function requeueStage(ci: CiContext, stage: Stage): Promise<void> {
  await changeBuild(ci, stage.build_id, async (tx) => {
    const current = required(await findStage(tx, stage.id))
    if (current.version !== stage.version) throw new OptimisticLockError()
    await setRemote(tx, stage.id, false)
    return updateStage(tx, { ...current, machine: '', updated: ci.now() })
  })
}

/** Ends a stage whose runner is lost. */
export async function endLost(ci: CiContext, closers: LogClosers, stage: Stage, error: string): Promise<void> {
  const over = { status: 'error', exit_code: 255, error, stopped: ci.now() } as const
  await reportStage(ci, closers, { ...stage, ...over })
}

/** Enough for concurrent reports: a stage has at most two states left. */
const maxRounds = 10

/**
 * Ends or requeues all stages of the runner `machine`. Repeats until none is left, because a last
 * report may arrive meanwhile.
 */
export async function abandonStages(ci: CiContext, closers: LogClosers, machine: string, error: string): Promise<void> {
  const listOfMachine = async () => (await listRemoteStages(ci.db)).filter((stage) => stage.machine === machine)
  for (let round = 0; round < maxRounds; round++) {
    const stages = await listOfMachine()
    if (stages.length === 0) return
    for (const stage of stages) {
      try {
        if (stage.status === 'running') await endLost(ci, closers, stage, error)
        else await requeueStage(ci, stage)
      } catch (failure) {
        if (!(failure instanceof OptimisticLockError)) throw failure
      }
    }
  }
}
