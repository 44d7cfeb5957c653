import type { RepoRank } from '../store/repo-lists.ts'

/** Specification §9: "Repository list initial size 50", "Recent activity 6". */
const firstRows = 50
const maxRecent = 6

const compare = (a: RepoRank, b: RepoRank): number =>
  Number(b.active) - Number(a.active) || b.created - a.created || (a.slug < b.slug ? -1 : 1)

/** Takes the first ones of very many in the order of a dashboard, without sorting all. */
const createTop = (count: number) => {
  let best: RepoRank[] = []
  const cut = () => (best = best.toSorted(compare).slice(0, count))
  let last: RepoRank | undefined
  return {
    add(rank: RepoRank): void {
      if (last && compare(last, rank) < 0) return
      best.push(rank)
      if (best.length < 2 * count) return
      last = cut().at(-1)
    },
    end: () => cut(),
  }
}

/**
 * What a dashboard shows first of thousands: the first rows, and of those that are not active the
 * newest, which may be among its recent builds.
 */
export function topOf(chapters: Iterable<readonly RepoRank[]>): { ids: number[]; total: number; active: number } {
  const rows = createTop(firstRows)
  const asleep = createTop(maxRecent)
  let [total, active] = [0, 0]
  for (const ranks of chapters) {
    for (const rank of ranks) {
      total += 1
      active += Number(rank.active)
      rows.add(rank)
      if (!rank.active) asleep.add(rank)
    }
  }
  return { ids: [...new Set([...rows.end(), ...asleep.end()].map(({ id }) => id))], total, active }
}
