import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RefChange } from './ref-changes.ts'

/** Refs of one check that start builds; of more, the newest do. */
export const maxAtOnce = 50

export interface Chosen {
  /** In the order in which they are built: the newest last, so that it is the latest. */
  built: RefChange[]
  skipped: RefChange[]
  /** For people, if there are too many. */
  note?: string
}

/** Refs per batch to sort, between which other work runs: 240,000 in one turn took 35 ms. */
const refsAtOnce = 5_000

/** By the time of the commit; `times` knows it by what the ref points at. */
export async function newestOf(changes: readonly RefChange[], times: ReadonlyMap<string, number>): Promise<Chosen> {
  const timeOf = ({ after }: RefChange) => times.get(after) ?? 0
  let built: RefChange[] = []
  const skipped: RefChange[] = []
  for (let from = 0; from < changes.length; from += refsAtOnce) {
    if (from > 0) await nextTurn()
    // The newest so far come before the others, so that of equal ones the last is the newest.
    const ordered = [...built, ...changes.slice(from, from + refsAtOnce)].toSorted((a, b) => timeOf(a) - timeOf(b))
    const cut = Math.max(0, ordered.length - maxAtOnce)
    skipped.push(...ordered.slice(0, cut))
    built = ordered.slice(cut)
  }
  if (skipped.length === 0) return { built, skipped }
  const count = (number: number) => number.toLocaleString('en')
  const note = `${count(changes.length)} branches and tags changed at once; only the newest ${maxAtOnce} are built`
  return { built, skipped, note }
}
