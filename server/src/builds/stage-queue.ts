/**
 * Assigns pending stages to waiting runners, first in, first out (docs/api §5.4). The stages are in
 * the database; only the waiting runners, recent assignments and the pause are in memory.
 */
import type { Stage } from '@flightdeck/api'
import type { Db } from '../store/open.ts'
import { findStage } from '../store/stages.ts'
import { lineFor } from './startable-stages.ts'
import { nextTurn } from '../lib/event-loop.ts'
import type { RunnerFilter } from '../interfaces/runner.ts'
import { logError } from '../lib/log.ts'

export interface Queue {
  /** `null` when `signal` aborts first. */
  request(filter: RunnerFilter, signal: AbortSignal): Promise<Stage | null>
  /** There may be something to hand out: new work, or a place that became free. */
  poke(): void
  /**
   * The stage was accepted, or will not be: it is no longer reserved for the runner that it was
   * assigned to.
   */
  release(stageId: number): void
  pause(): void
  resume(): void
  isPaused(): boolean
  /** Nothing is assigned, even if users resume the queue: the disk is nearly full. */
  setHeld(shouldHold: boolean): void
  isHeld(): boolean
  close(): void
}

interface Waiter {
  filter: RunnerFilter
  give: (stage: Stage) => void
}

/**
 * How long a stage stays assigned to a runner that does not accept it. Then the runner counts as
 * lost.
 */
const keepMs = 10_000

/** After a temporary failure. */
const retryMs = 1_000

/** The matching stages for all waiters with the same filter, with the next one. */
interface Line {
  ids: AsyncGenerator<number>
  next?: number | undefined
}

/** `changed` is called when waiting reasons may have changed. */
export const createQueue = (db: Db, changed: () => void = () => {}): Queue => {
  const waiters = new Set<Waiter>()
  const handedOut = new Map<number, NodeJS.Timeout>()
  let paused = false
  let isHeld = false
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

  /** As it is now, if it still waits. */
  const findWaiting = async (id: number): Promise<Stage | null> => {
    const stage = handedOut.has(id) ? null : await findStage(db, id)
    return stage?.status === 'pending' && !stage.machine ? stage : null
  }

  const serve = async (waiter: Waiter, line: Line) => {
    while (waiters.has(waiter)) {
      line.next ??= (await line.ids.next()).value as number | undefined
      if (line.next === undefined) return
      const stage = await findWaiting(line.next)
      // The stage of a waiter that has disconnected is assigned to the next one.
      if (paused || isHeld || closed || !waiters.has(waiter)) return
      line.next = undefined
      if (stage) handOut(waiter, stage)
    }
  }

  const dispatch = async () => {
    dispatching = true
    try {
      while (dirty) {
        // Further changes in this turn of the event loop share one pass.
        await nextTurn()
        dirty = false
        const lines = new Map<string, Line>()
        // The longest wait comes first: a set keeps the order of insertion.
        // Stages that arrive meanwhile are for the next pass: older ones may be free by then.
        const present = [...waiters]
        for (const waiter of present) {
          if (paused || isHeld || closed) break
          const key = JSON.stringify(waiter.filter)
          const line = lines.get(key) ?? { ids: lineFor(db, waiter.filter) }
          lines.set(key, line)
          await serve(waiter, line)
        }
      }
    } catch (error) {
      if (!closed) {
        logError('The queue could not be read', error)
        // No other event may start another pass.
        setTimeout(poke, retryMs).unref()
      }
    } finally {
      dispatching = false
    }
  }

  const poke = () => {
    changed()
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
    release(stageId) {
      clearTimeout(handedOut.get(stageId))
      handedOut.delete(stageId)
    },
    pause() {
      paused = true
      changed()
    },
    resume() {
      paused = false
      poke()
    },
    isPaused: () => paused,
    setHeld(shouldHold) {
      isHeld = shouldHold
      poke()
    },
    isHeld: () => isHeld,
    close() {
      closed = true
      for (const timer of handedOut.values()) clearTimeout(timer)
      handedOut.clear()
    },
  }
}
