import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RefChange } from './ref-changes.ts'

/** The maximum number of refs of one check that start builds. If there are more, the newest do. */
export const maxBuilt = 50

export interface Chosen {
  /** In the order of their builds: the newest last, so that its build is the latest. */
  built: RefChange[]
  skipped: RefChange[]
  /** The note for users if there are too many. */
  note?: string
}

/**
 * Refs per batch to sort. Other work runs between batches: 240,000 in one turn of the event loop
 * took 35 ms.
 */
const batchSize = 5_000

/** Chooses by the commit time; `times` maps what the ref points at to it. */
export async function newestOf(changes: readonly RefChange[], times: ReadonlyMap<string, number>): Promise<Chosen> {
  const timeOf = ({ after }: RefChange) => times.get(after) ?? 0
  let built: RefChange[] = []
  const skipped: RefChange[] = []
  for (let from = 0; from < changes.length; from += batchSize) {
    if (from > 0) await nextTurn()
    // The newest refs so far come before the others, so that the last of equal ones counts as the
    // newest.
    const ordered = [...built, ...changes.slice(from, from + batchSize)].toSorted((a, b) => timeOf(a) - timeOf(b))
    const cut = Math.max(0, ordered.length - maxBuilt)
    skipped.push(...ordered.slice(0, cut))
    built = ordered.slice(cut)
  }
  if (skipped.length === 0) return { built, skipped }
  const count = (number: number) => number.toLocaleString('en')
  const note = `${count(changes.length)} branches and tags changed at once; only the newest ${maxBuilt} are built`
  return { built, skipped, note }
}
