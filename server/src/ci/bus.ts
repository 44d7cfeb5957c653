import type { RepoWithBuild } from '@flightdeck/api'
import type { BuildEventMessage, EventBus } from './types.ts'

/** Encodes each event once and hands the same text to every subscriber (architecture.md "events"). */
export function createEventBus(): EventBus {
  const listeners = new Set<(message: BuildEventMessage) => void>()

  return {
    publish(repo: RepoWithBuild) {
      if (listeners.size === 0) return
      const message: BuildEventMessage = {
        repoId: repo.id,
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
