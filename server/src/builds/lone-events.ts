import type { RepoWithBuild } from '@flightdeck/api'

/** A page needs no longer from its first read to its stream. */
const keptMs = 5_000
const most = 50

type Read = () => Promise<RepoWithBuild>

/**
 * The builds that were told exactly once, a moment ago: one whose pipeline file cannot be read, one that waits. A page that read
 * its list before and whose stream stood after would never hear of them; of all others it hears by what comes next.
 */
export function createLoneEvents() {
  /** The oldest first. */
  const known = new Map<number, { count: number; at: number; read: Read }>()

  function forget(): void {
    const now = performance.now()
    for (const [id, { at }] of known) {
      if (now - at < keptMs && known.size <= most) return
      known.delete(id)
    }
  }

  return {
    /** `read` answers how the build stands when it is called. */
    note(id: number, read: Read): void {
      const count = (known.get(id)?.count ?? 0) + 1
      known.delete(id)
      known.set(id, { count, at: performance.now(), read })
      forget()
    },
    list(): { id: number; read: Read }[] {
      forget()
      return [...known].flatMap(([id, { count, read }]) => (count === 1 ? [{ id, read }] : []))
    },
  }
}
