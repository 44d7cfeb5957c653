import type { RepoWithBuild } from '@flightdeck/api'
import type { BuildEventMessage, EventBus } from './types.ts'

/** A page draws no faster; a build of 150 pipelines changes hundreds of times a second and is 90 kB each time. */
const mergeMilliseconds = 100
/** Before those are forgotten that were told long ago. */
const mostTold = 500

export interface BusOptions {
  /** Changes of one build within this time are told as one. 0: each by itself, for tests of what is published. */
  mergeMs?: number
}

/**
 * Tells how builds stand: the first change at once, and what follows within a moment as one event with the latest state. All
 * events keep the order of what was published last. Each is encoded once, when it is told, and all subscribers get the same
 * text (architecture.md "events").
 */
export function createEventBus({ mergeMs = mergeMilliseconds }: BusOptions = {}): EventBus {
  const listeners = new Set<(message: BuildEventMessage) => void>()
  /** By build, the oldest first. */
  const waiting = new Map<number, RepoWithBuild>()
  /** When each build was told last; forgotten when the time to merge is over. */
  const told = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  function forget(): void {
    const now = performance.now()
    for (const [id, time] of told) if (now - time >= mergeMs) told.delete(id)
  }

  function tell(repo: RepoWithBuild): void {
    if (told.size >= mostTold) forget()
    told.set(repo.build.id, performance.now())
    if (listeners.size === 0) return
    const message: BuildEventMessage = {
      repoId: repo.id,
      buildId: repo.build.id,
      slug: repo.slug,
      visibility: repo.visibility,
      json: JSON.stringify(repo),
    }
    for (const listener of listeners) {
      try {
        listener(message)
      } catch (error) {
        // One broken reader must not cost the others their event.
        console.error('A listener of the event bus failed:', error)
      }
    }
  }

  function tellAll(): void {
    timer = undefined
    forget()
    const all = [...waiting.values()]
    waiting.clear()
    for (const repo of all) tell(repo)
  }

  return {
    publish(repo) {
      const { id } = repo.build
      const since = performance.now() - (told.get(id) ?? -Infinity)
      // Also behind others that wait: who hears of two builds hears of them in their order.
      if (since >= mergeMs && waiting.size === 0) {
        tell(repo)
        return
      }
      waiting.delete(id)
      waiting.set(id, repo)
      if (timer) return
      timer = setTimeout(tellAll, since < mergeMs ? mergeMs - since : mergeMs)
      timer.unref()
    },
    subscribe(listener) {
      // A wrapper of its own, so that the same function can subscribe twice and leave once.
      const own = (message: BuildEventMessage) => listener(message)
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
    subscribers: () => listeners.size,
  }
}
