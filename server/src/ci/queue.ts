/**
 * Hands pending stages to waiting runners, first in, first out (wire.md §5.4). The stages are in the database; only the
 * waiting runners, what was just handed out and the pause live here.
 */
import type { Stage } from '@flightdeck/api'
import { matchesFilter, withinLimits } from '../pipeline/queue.ts'
import type { Db } from '../store/open.ts'
import { listQueue } from '../store/stages.ts'
import type { RunnerFilter } from './types.ts'

export interface Queue {
  /** `null` when `signal` aborts first. */
  request(filter: RunnerFilter, signal: AbortSignal): Promise<Stage | null>
  /** There may be something to hand out: new work, or a place that became free. */
  poke(): void
  /** The stage was taken, or will not be: it is no longer kept for the runner that it was handed to. */
  settle(stageId: number): void
  pause(): void
  resume(): void
  close(): void
}

interface Waiter {
  filter: RunnerFilter
  give: (stage: Stage) => void
}

/** How long a stage is kept for the runner that it was handed to. Then the runner is taken for lost. */
const keepMs = 10_000

/** After a failure that may pass. */
const retryMs = 1_000

/** The stages that nobody has and that may start now, oldest first. `queue`: all pending and running ones by id. */
const eligible = (queue: readonly Stage[]): Stage[] => {
  const byRepo = new Map<number, Stage[]>()
  for (const stage of queue) {
    const siblings = byRepo.get(stage.repo_id)
    if (siblings) siblings.push(stage)
    else byRepo.set(stage.repo_id, [stage])
  }
  return queue.filter(
    (stage) => stage.status === 'pending' && !stage.machine && withinLimits(stage, byRepo.get(stage.repo_id) ?? []),
  )
}

export const createQueue = (db: Db): Queue => {
  const waiters = new Set<Waiter>()
  const handedOut = new Map<number, NodeJS.Timeout>()
  let paused = false
  let closed = false
  let dirty = false
  let dispatching = false

  const handOut = (waiter: Waiter, stage: Stage) => {
    waiters.delete(waiter)
    const timer = setTimeout(() => {
      handedOut.delete(stage.id)
      poke()
    }, keepMs)
    timer.unref()
    handedOut.set(stage.id, timer)
    waiter.give(stage)
  }

  const dispatch = async () => {
    dispatching = true
    try {
      while (dirty) {
        dirty = false
        if (paused || closed || waiters.size === 0) continue
        for (const stage of eligible(await listQueue(db))) {
          if (paused || handedOut.has(stage.id)) continue
          // Whoever waits longest comes first: a set keeps the order of insertion.
          for (const waiter of waiters) {
            if (!matchesFilter(stage, waiter.filter)) continue
            handOut(waiter, stage)
            break
          }
        }
      }
    } catch (error) {
      if (!closed) {
        console.error('The queue could not be read:', error)
        // Nobody else may come to ask for another look.
        setTimeout(poke, retryMs).unref()
      }
    } finally {
      dispatching = false
    }
  }

  const poke = () => {
    dirty = true
    if (!dispatching && !closed) void dispatch()
  }

  return {
    request(filter, signal) {
      return new Promise((resolve) => {
        if (signal.aborted || closed) {
          resolve(null)
          return
        }
        const aborted = () => {
          waiters.delete(waiter)
          resolve(null)
        }
        const waiter: Waiter = {
          filter,
          give(stage) {
            signal.removeEventListener('abort', aborted)
            resolve(stage)
          },
        }
        signal.addEventListener('abort', aborted, { once: true })
        waiters.add(waiter)
        poke()
      })
    },
    poke,
    settle(stageId) {
      clearTimeout(handedOut.get(stageId))
      handedOut.delete(stageId)
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
      poke()
    },
    close() {
      closed = true
      for (const timer of handedOut.values()) clearTimeout(timer)
      handedOut.clear()
    },
  }
}
