/** How an event changes each list. Unchanged lists and items stay the same objects. */
import { pullNumber, type Build, type Repo, type RepoWithBuild } from '@flightdeck/api'

import type { BuildsPage } from '../../api/queries.ts'
import { mergeBuild, mergeLatest, mergeRepo, type Incoming } from './merge-entities.ts'

/** An event of `/api/stream` (docs/api §1.16): a repository with the build that changed. */
export type BuildEventMessage = Incoming<Repo> & Pick<Repo, 'namespace' | 'name'> & { build: Build }

type Event = BuildEventMessage
type Named = Pick<Repo, 'namespace' | 'name'>
export const isOf = (left: Named, right: Named): boolean =>
  left.namespace === right.namespace && left.name === right.name

/** The list with one item changed; the same list if nothing changed. */
const replaceWhere = <T>(list: T[], matches: (item: T) => boolean, change: (item: T) => T): T[] => {
  const at = list.findIndex(matches)
  const before = list[at]
  if (before === undefined) return list
  const after = change(before)
  return after === before ? list : list.with(at, after)
}

const withBuild = <T extends Repo>(repo: T, build: Build): T => (repo.build === build ? repo : { ...repo, build })

/**
 * "An event about a repository that is not in a list changes nothing there". Merges all events
 * together, because each merge copies a list of thousands.
 */
export const inRepos = (repos: Repo[], events: readonly Event[]): Repo[] => {
  let changed: Repo[] | undefined
  for (const event of events) {
    const list = changed ?? repos
    const at = list.findIndex((repo) => isOf(repo, event))
    const before = list[at]
    if (!before) continue
    const after = withBuild(mergeRepo(before, event), mergeLatest(before.build, event.build))
    if (after === before) continue
    changed ??= [...repos]
    changed[at] = after
  }
  return changed ?? repos
}

/** Specification §4: "A recent-builds entry is removed when its build is finished or declined." */
const leavesRecent = (build: Build): boolean => build.finished > 0 || build.status === 'declined'

export const inRecent = (
  recent: RepoWithBuild[],
  event: Event,
  isKnown: (event: Event) => boolean,
): RepoWithBuild[] => {
  const isSame = (item: RepoWithBuild): boolean => isOf(item, event) && item.build.number === event.build.number
  const merge = (item: RepoWithBuild): RepoWithBuild =>
    withBuild(mergeRepo(item, event), mergeBuild(item.build, event.build))
  const known = recent.find(isSame)
  if (known) {
    return leavesRecent(merge(known).build)
      ? recent.filter((item) => item !== known)
      : replaceWhere(recent, isSame, merge)
  }
  const sibling = recent.find((item) => isOf(item, event))
  if (leavesRecent(event.build) || !(sibling ?? isKnown(event))) return recent
  const added = { ...sibling, ...event, slug: event.slug ?? `${event.namespace}/${event.name}` } as RepoWithBuild
  const at = recent.findIndex((item) => item.build.created <= event.build.created)
  return recent.toSpliced(at < 0 ? recent.length : at, 0, added)
}

/** A loaded build changes in place; a new one is inserted by number, newest first. */
export const inBuilds = (pages: BuildsPage[], { build }: Event): BuildsPage[] => {
  const isLoaded = pages.some((page) => page.builds.some((known) => known.number === build.number))
  if (isLoaded) {
    const changed = pages.map((page) => {
      const builds = replaceWhere(
        page.builds,
        (known) => known.number === build.number,
        (known) => mergeBuild(known, build),
      )
      return builds === page.builds ? page : { ...page, builds }
    })
    return changed.every((page, index) => page === pages[index]) ? pages : changed
  }
  // Older than all loaded builds: it belongs to a page that is not loaded yet, if there is one.
  const at = pages.findIndex((page) => page.builds.some((known) => known.number < build.number))
  const last = pages.length - 1
  const target = at < 0 ? (pages[last]?.full === false ? last : -1) : at
  const page = pages[target]
  if (!page) return pages
  const builds = [...page.builds, build].toSorted((left, right) => right.number - left.number)
  return pages.with(target, { ...page, builds })
}

/**
 * The newest build per branch or target. `key` is empty for builds that do not belong to this list.
 */
export const inLatest = (list: Build[], build: Build, key: (build: Build) => string): Build[] => {
  const place = key(build)
  if (place === '') return list
  const known = list.some((item) => key(item) === place)
  return known
    ? replaceWhere(
        list,
        (item) => key(item) === place,
        (item) => mergeLatest(item, build),
      )
    : [build, ...list]
}

/**
 * docs/api §1.15: "newest push build per target branch", "newest promote/rollback build per
 * deploy_to".
 */
export const branchOf = (build: Build): string => (build.event === 'push' ? build.target : '')
export const targetOf = (build: Build): string =>
  build.event === 'promote' || build.event === 'rollback' ? (build.deploy_to ?? '') : ''
/** "newest PR build per PR number". */
export const pullOf = (build: Build): string => (build.event === 'pull_request' ? pullNumber(build.ref) : '')
