/** The order of the dashboard's list, where that is not the usual one. */
import { iconGroup, type Build, type Repo } from '@flightdeck/api'

import { favoritesFirst, type Sort } from './repo-list.ts'

const isWaiting = ({ status, waiting }: Build): boolean => status === 'blocked' || waiting?.reason === 'approval'

const ranks = { cross: 1, circle: 3, tick: 4, dash: 5 }

/** By status: a failing default branch first, then what failed elsewhere, waits, runs, passed. */
const rankOf = ({ active, build, default_branch }: Repo): number => {
  if (!active || !build) return active ? 6 : 7
  const rank = ranks[iconGroup(build.status)]
  if (rank === 1 && build.target === default_branch && build.event !== 'pull_request') return 0
  return isWaiting(build) ? 2 : rank
}

/** `sorted` as `sortRepos` gives it; favorites come first in each order. */
export const inOrder = (sorted: readonly Repo[], sort: Sort, favorites?: readonly string[]): readonly Repo[] => {
  let repos = sorted
  if (sort === 'name') repos = repos.toSorted((left, right) => (left.slug < right.slug ? -1 : 1))
  else if (sort === 'status') repos = repos.toSorted((left, right) => rankOf(left) - rankOf(right))
  return favoritesFirst(repos, favorites)
}
