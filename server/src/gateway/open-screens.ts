/** What viewers have open: unfinished builds, and lists of builds. Sends no requests. */
import { isDone, type Build } from '@flightdeck/api'
import { dashboard, isList, ofBuild, pathOfBuild, slugOf, type List, type Reader, type Target } from './poll-targets.ts'
import { monotonicMs } from '../lib/monotonic-time.ts'

/** Per person. The least recently viewed one is removed first. */
const maxPages = 20
const maxListed = 300
const maxLists = 4

export interface Screens {
  readonly targets: ReadonlyMap<string, Target>
  readonly lists: ReadonlyMap<string, List>
  /** The person has read this address, other than the recent builds. */
  noteRead(reader: Reader, pathname: string): void
  /** The person has this build in a list. `isAnswer`: as the server has just listed it. */
  see(reader: Reader, slug: string, build: Build, isAnswer: boolean): void
  /** The viewer no longer sees this build, or it has finished. */
  drop(target: Target, key: string): void
  /** The viewer has left. */
  forget(key: string): void
}

export function createScreens(): Screens {
  const targets = new Map<string, Target>()
  const lists = new Map<string, List>()
  /** Of each person the addresses in `targets` and `lists`, the oldest first. */
  const screensOf = new Map<string, { builds: Set<string>; lists: Set<string> }>()

  function ownOf(key: string) {
    const existing = screensOf.get(key)
    if (existing) return existing
    const made = { builds: new Set<string>(), lists: new Set<string>() }
    screensOf.set(key, made)
    return made
  }

  function drop(target: Target, key: string): void {
    const { pathname, lookers, staleFor, pages } = target
    for (const people of [lookers, staleFor, pages]) people.delete(key)
    screensOf.get(key)?.builds.delete(pathname)
    if (lookers.size === 0) targets.delete(pathname)
  }

  function dropList(list: List, key: string): void {
    list.lookers.delete(key)
    list.staleFor.delete(key)
    screensOf.get(key)?.lists.delete(list.slug)
    if (list.lookers.size === 0) lists.delete(list.slug)
  }

  function targetOf(pathname: string, slug: string): Target {
    const existing = targets.get(pathname)
    if (existing) return existing
    const number = Number(pathname.slice(pathname.lastIndexOf('/') + 1))
    const made = { pathname, slug, number, lookers: new Map(), staleFor: new Set<string>(), pages: new Set<string>() }
    const target: Target = { ...made, requestedAt: 0, listed: 0, isOlder: false, asking: 0, finishedAt: 0 }
    targets.set(pathname, target)
    return target
  }

  function limit(key: string): void {
    const { builds } = ownOf(key)
    const pages = [...builds].filter((pathname) => targets.get(pathname)?.pages.has(key))
    const listed = builds.size - pages.length > maxListed ? [...builds].find((one) => !pages.includes(one)) : undefined
    for (const pathname of [pages.length > maxPages ? pages[0] : undefined, listed]) {
      const target = pathname === undefined ? undefined : targets.get(pathname)
      if (target) drop(target, key)
    }
  }

  function lookAtBuild(key: string, slug: string, pathname: string): void {
    const target = targetOf(pathname, slug)
    target.lookers.set(key, monotonicMs())
    target.pages.add(key)
    target.staleFor.add(key)
    const { builds } = ownOf(key)
    builds.delete(pathname)
    builds.add(pathname)
    limit(key)
  }

  function lookAtList(key: string, slug: string): void {
    const list: List = lists.get(slug) ?? {
      slug,
      lookers: new Map(),
      staleFor: new Set(),
      requestedAt: monotonicMs(),
      asking: 0,
    }
    lists.set(slug, list)
    list.lookers.set(key, monotonicMs())
    const ownLists = ownOf(key).lists
    ownLists.delete(slug)
    ownLists.add(slug)
    const [oldest] = ownLists
    const old = ownLists.size > maxLists && oldest !== undefined ? lists.get(oldest) : undefined
    if (old) dropList(old, key)
  }

  return {
    targets,
    lists,
    noteRead(reader, pathname) {
      const { key } = reader.person
      if (pathname === dashboard) reader.dashboard ??= { bytes: 0, requestedAt: monotonicMs(), isBehind: false }
      const slug = slugOf(pathname)
      if (slug === null) return
      if (ofBuild.test(pathname)) lookAtBuild(key, slug, pathname)
      else if (isList(pathname)) lookAtList(key, slug)
    },
    see(reader, slug, build, isAnswer) {
      const { key } = reader.person
      if (!Number.isSafeInteger(build.number) || typeof build.status !== 'string') return
      const pathname = pathOfBuild(slug, build.number)
      const existing = targets.get(pathname)
      if (isDone(build.status)) {
        // On its own page it is requested once more, for the stages.
        if (existing && !existing.pages.has(key)) drop(existing, key)
        return
      }
      const target = existing ?? targetOf(pathname, slug)
      if (isAnswer || target.listed === 0) target.listed = monotonicMs()
      if (target.lookers.has(key)) return
      target.lookers.set(key, monotonicMs())
      ownOf(key).builds.add(pathname)
      limit(key)
    },
    drop,
    forget(key) {
      const screens = screensOf.get(key)
      for (const pathname of screens?.builds ?? []) {
        const target = targets.get(pathname)
        if (target) drop(target, key)
      }
      for (const slug of screens?.lists ?? []) {
        const list = lists.get(slug)
        if (list) dropList(list, key)
      }
      screensOf.delete(key)
    },
  }
}
