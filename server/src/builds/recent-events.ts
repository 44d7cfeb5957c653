/** A page needs no longer from its first read to its stream; one that does reads again (web: `slowStart`). */
const keptMs = 5_000
const maxBuilds = 50

interface Recent<T> {
  id: number
  at: number
  told: T
}

/**
 * Recently published builds with their events. A page reads its lists before its stream is connected; a build's last event can fall
 * in between, for a build with one event (its pipeline file cannot be read) as for one with many. Such a page receives
 * these events.
 */
export function createRecentEvents<T>() {
  /** By build, the oldest first. */
  const known = new Map<number, Recent<T>>()

  function forget(): void {
    const now = performance.now()
    for (const [id, { at }] of known) {
      if (now - at < keptMs && known.size <= maxBuilds) return
      known.delete(id)
    }
  }

  return {
    note(id: number, told: T): void {
      known.delete(id)
      known.set(id, { id, at: performance.now(), told })
      forget()
    },
    list(): { id: number; told: T }[] {
      forget()
      return [...known.values()].map(({ id, told }) => ({ id, told }))
    },
    /** False once a newer event of the build was published. */
    isLatest: (id: number, told: T): boolean => (known.get(id)?.told ?? told) === told,
  }
}
