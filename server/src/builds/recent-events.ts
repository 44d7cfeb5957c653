/**
 * A page opens its stream within this time after its first request; a slower one loads its data
 * again (web: `slowStartMs`).
 */
const ttlMs = 5_000
const maxBuilds = 50

interface Recent<T> {
  id: number
  at: number
  event: T
}

/**
 * Recently published builds with their events. A page reads its lists before its stream is
 * connected; a build's last event can fall in between, for a build with one event (its pipeline
 * file cannot be read) as for one with many. Such a page receives these events.
 */
export function createRecentEvents<T>() {
  /** By build, the oldest first. */
  const entries = new Map<number, Recent<T>>()

  function removeExpired(): void {
    const now = performance.now()
    for (const [id, { at }] of entries) {
      if (now - at < ttlMs && entries.size <= maxBuilds) return
      entries.delete(id)
    }
  }

  return {
    add(id: number, event: T): void {
      entries.delete(id)
      entries.set(id, { id, at: performance.now(), event })
      removeExpired()
    },
    list(): { id: number; event: T }[] {
      removeExpired()
      return [...entries.values()].map(({ id, event }) => ({ id, event }))
    },
    /** False once a newer event of the build was published. */
    isLatest: (id: number, event: T): boolean => (entries.get(id)?.event ?? event) === event,
  }
}
