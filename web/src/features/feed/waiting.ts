/** Queued and running builds, and those that wait for this user. Pure. */
import { needsApproval, type Repo, type RepoWithBuild, type User } from '@flightdeck/api'

import { canApprove } from '../../lib/approval.ts'

export const isUnfinishedBuild = ({ build }: Pick<RepoWithBuild, 'build'>): boolean =>
  build.finished === 0 && build.status !== 'declined'

/** Identifies a build among those of all repositories. */
export const keyOf = ({ slug, build }: RepoWithBuild): string => `${slug} ${build.number}`

/** The builds of `recent` and the latest build of each repository, newest first. */
export const loadedBuilds = (
  recent: readonly RepoWithBuild[],
  repos: readonly Repo[],
  isWanted: (item: Pick<RepoWithBuild, 'build'>) => boolean = () => true,
): RepoWithBuild[] => {
  const latest = repos.flatMap((repo) => {
    const { build } = repo
    return build && isWanted({ build }) ? [{ ...repo, build }] : []
  })
  const found = new Map([...latest, ...recent.filter(isWanted)].map((item) => [keyOf(item), item]))
  return [...found.values()].toSorted((a, b) => b.build.created - a.build.created || b.build.id - a.build.id)
}

/**
 * Newest first. `recent` only has the newest 25 builds: one that runs for longer is the latest
 * build of its repository.
 */
export const unfinishedBuilds = (recent: readonly RepoWithBuild[], repos: readonly Repo[]): RepoWithBuild[] =>
  loadedBuilds(recent, repos, isUnfinishedBuild)

/** The builds that wait for an approval that this user can give. */
export const awaitingApprovalBy = (
  me: User | undefined,
  now: readonly RepoWithBuild[],
  repos: readonly Repo[],
): RepoWithBuild[] => {
  const waiting = now.filter(({ build }) => needsApproval(build))
  if (!me || waiting.length === 0) return []
  const bySlug = new Map(repos.map((repo) => [repo.slug, repo]))
  return waiting.filter(({ slug }) => canApprove(me, bySlug.get(slug)))
}
