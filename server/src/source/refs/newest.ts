import type { RefChange } from './changes.ts'

/** So many refs that came at once start builds; of more, the newest. */
export const mostAtOnce = 50

export interface Chosen {
  /** In the order in which they are built: the newest last, so that it is the latest. */
  built: RefChange[]
  skipped: RefChange[]
  /** For people, if there are too many. */
  note?: string
}

/** By the time of the commit; `times` knows it by what the ref points at. */
export function newestOf(changes: readonly RefChange[], times: ReadonlyMap<string, number>): Chosen {
  const timeOf = ({ after }: RefChange) => times.get(after) ?? 0
  const ordered = changes.toSorted((a, b) => timeOf(a) - timeOf(b))
  const cut = Math.max(0, ordered.length - mostAtOnce)
  if (cut === 0) return { built: ordered, skipped: [] }
  const count = (number: number) => number.toLocaleString('en')
  const note =
    `${count(ordered.length)} branches and tags were new or moved at once: ` +
    `the newest ${mostAtOnce} are built, the other ${count(cut)} are not`
  return { built: ordered.slice(cut), skipped: ordered.slice(0, cut), note }
}
