/** The repositories that the dashboard lists, and their order, if it is not the default. */
import { needsApproval, iconGroup, type Repo, type User } from '@flightdeck/api'

import { canApprove } from './approval.ts'
import { isMine } from './my-builds.ts'
import { favoritesFirst, type Sort } from './repo-list.ts'

/**
 * Filters by the latest build: failed, failed and this user's, waits for this user's approval,
 * queued or running.
 */
export const shows = ['failing', 'mine', 'waiting', 'running'] as const
export type Show = (typeof shows)[number]

/** Inactive repositories match nothing. */
const matches = (repo: Repo, show: Show, me: User): boolean => {
  const { active, build } = repo
  if (!build || !active) return false
  if (show === 'waiting') return needsApproval(build) && canApprove(me, repo)
  const group = iconGroup(build.status)
  if (show === 'running') return group === 'circle' && !needsApproval(build)
  return group === 'cross' && (show === 'failing' || isMine(build, me))
}

/** The number of repositories for each choice. */
export const countShown = (repos: readonly Repo[], me: User): ReadonlyMap<Show, number> =>
  new Map(shows.map((show) => [show, repos.filter((repo) => matches(repo, show, me)).length]))

const ranks = { cross: 1, circle: 3, tick: 4, dash: 5 }

/**
 * By status: a failing default branch first, then failed elsewhere, waiting, running, successful.
 */
const rankOf = ({ active, build, default_branch }: Repo): number => {
  if (!active || !build) return active ? 6 : 7
  const rank = ranks[iconGroup(build.status)]
  if (rank === 1 && build.target === default_branch && build.event !== 'pull_request') return 0
  return needsApproval(build) ? 2 : rank
}

/** `sorted` is the result of `sortRepos`; favorites come first in each order. */
export const inOrder = (sorted: readonly Repo[], sort: Sort, favorites?: readonly string[]): readonly Repo[] => {
  let repos = sorted
  if (sort === 'name') repos = repos.toSorted((left, right) => (left.slug < right.slug ? -1 : 1))
  else if (sort === 'status') repos = repos.toSorted((left, right) => rankOf(left) - rankOf(right))
  return favoritesFirst(repos, favorites)
}

export interface View {
  sort: Sort
  /** A `Show`; any other text shows all. */
  show: string | null
  /** Only repositories of this namespace. */
  owner?: string | undefined
}

/** The namespaces with their number of repositories, by name. */
export const countOwners = (repos: readonly Repo[]): [owner: string, count: number][] => {
  const counts = new Map<string, number>()
  for (const { namespace } of repos) counts.set(namespace, (counts.get(namespace) ?? 0) + 1)
  return [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1))
}

/** The repositories of a view, in its order. */
export const inView = (sorted: readonly Repo[], { sort, show, owner }: View, me: User | undefined): readonly Repo[] => {
  const ordered = inOrder(sorted, sort, me?.favorites)
  const repos = owner ? ordered.filter(({ namespace }) => namespace === owner) : ordered
  const shown = shows.find((choice) => choice === show)
  return shown && me ? repos.filter((repo) => matches(repo, shown, me)) : repos
}
