/** Ends stages of a runner that stops sending heartbeats: no other component would. */
import type { Stage } from '@flightdeck/api'
import { listRemoteStages } from '../../store/remote-stages.ts'
import { findStage } from '../../store/stages.ts'
import type { CiContext } from '../context.ts'
import type { LogClosers } from '../delayed-log-close.ts'
import { OptimisticLockError } from '../../lib/refusal.ts'
import { endLost, requeueStage } from './lost-stages.ts'
import type { Heartbeats } from './heartbeats.ts'
import { createBackgroundTask } from '../../lib/background-task.ts'
import { logError } from '../../lib/log.ts'

export interface HeartbeatTimeoutOptions {
  ci: CiContext
  closers: LogClosers
  presence: Heartbeats
  /** After this many seconds without a heartbeat a runner counts as lost. */
  seconds: number
}

/** Runners that can be lost before a stage starts; after that, the stage is the problem. */
const maxLostRunners = 3

export const inWords = (seconds: number): string => {
  const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

export function createHeartbeatTimeoutCheck({
  ci,
  closers,
  presence,
  seconds,
}: HeartbeatTimeoutOptions): (stopping?: AbortSignal) => Promise<void> {
  /** By stage id. */
  const lost = new Map<number, number>()

  async function lose(stage: Stage): Promise<void> {
    const silent = `No contact with runner ${stage.machine} for ${inWords(seconds)}`
    if (stage.status === 'running') return endLost(ci, closers, stage, silent)
    const times = (lost.get(stage.id) ?? 0) + 1
    lost.set(stage.id, times)
    if (times < maxLostRunners) return requeueStage(ci, stage)
    await endLost(ci, closers, stage, `${silent}; ${times} runners accepted this stage but none started it`)
  }

  return async (stopping) => {
    const stages = await listRemoteStages(ci.db)
    presence.forgetOthers(stages)
    for (const id of lost.keys()) {
      if (!stages.some((stage) => stage.id === id) && (await findStage(ci.db, id))?.status !== 'pending')
        lost.delete(id)
    }
    for (const stage of stages) {
      if (stopping?.aborted) return
      if (presence.silenceMs(stage) < seconds * 1000) continue
      try {
        await lose(stage)
      } catch (error) {
        // A heartbeat arrived at this moment.
        if (!(error instanceof OptimisticLockError)) throw error
      }
    }
  }
}

/**
 * Checks several times per timeout. After a stall of the server itself, no runner is blamed for
 * missing heartbeats. `stop` resolves when the current check has ended.
 */
export function startHeartbeatTimeouts(options: HeartbeatTimeoutOptions): { stop(): Promise<void> } {
  const check = createBackgroundTask({
    run: createHeartbeatTimeoutCheck(options),
    onError: (error) => logError('Runners without heartbeats could not be checked', error),
  })
  const everyMs = Math.min(10_000, Math.max(100, (options.seconds * 1000) / 6))
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - last > everyMs * 2 + 1000) options.presence.excuseAll()
    last = now
    void check.start()
  }, everyMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return check.stop()
    },
  }
}
