/** A page needs no longer from its first read to its stream; one that does reads again (web: `slowStart`). */
const keptMs = 5_000
const maxBuilds = 50

interface Recent<T> {
  id: number
  at: number
  told: T
}

/**
 * The builds that were told a moment ago, with what was told. A page that read its lists before and whose stream stood after would
 * not hear of them: a build may be told for the last time in between, whether it was told once (its pipeline file cannot be read)
 * or often.
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
    /** False once the build was told anew. */
    isLatest: (id: number, told: T): boolean => (known.get(id)?.told ?? told) === told,
  }
}
