/**
 * What slow readers have yet to get: the latest state of each build, in order. All slow readers
 * share it, so that a reader that reads nothing costs one number.
 */
import type { BuildEventMessage } from '../../interfaces/events.ts'

export interface LatestStates {
  /** `sequence` rises with each message. */
  add(sequence: number, message: BuildEventMessage): void
  /** The states after `sequence`, oldest first; `null` if some have been discarded. */
  since(sequence: number): { sequence: number; message: BuildEventMessage }[] | null
  clear(): void
}

export interface LatestStatesLimits {
  /** Builds; default 1,000. */
  maxBuilds?: number
  /** Characters of JSON of all of them; default 8 Mi. */
  maxLength?: number
}

export function createLatestStates({
  maxBuilds = 1_000,
  maxLength = 8 * 1024 * 1024,
}: LatestStatesLimits = {}): LatestStates {
  /** By build, the oldest first. */
  const states = new Map<number, { sequence: number; message: BuildEventMessage }>()
  let length = 0
  let forgotten = 0

  function remove(buildId: number): void {
    const state = states.get(buildId)
    if (!state) return
    length -= state.message.json.length
    states.delete(buildId)
  }

  return {
    add(sequence, message) {
      remove(message.buildId)
      states.set(message.buildId, { sequence, message })
      length += message.json.length
      for (const [buildId, state] of states) {
        if (states.size <= maxBuilds && length <= maxLength) break
        forgotten = state.sequence
        remove(buildId)
      }
    },
    since(sequence) {
      if (sequence < forgotten) return null
      return [...states.values()].filter((state) => state.sequence > sequence)
    },
    clear() {
      states.clear()
      length = 0
    },
  }
}
