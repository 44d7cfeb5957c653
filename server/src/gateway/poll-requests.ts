/**
 * The gateway's own requests, and how it handles the responses. Each uses the credentials of one
 * viewer.
 */
import { isDone, type Build, type Repo } from '@flightdeck/api'
import { requestAs, UpstreamUnavailable, type Person } from './viewer-request.ts'
import { elementsOf } from './json-elements.ts'
import type { Screens } from './open-screens.ts'
import type { Upstream } from './upstream.ts'
import {
  createNewest,
  dashboard,
  isSettled,
  isUnseen,
  maxRecent,
  pathOfBuild,
  progressOf,
  recent,
  remember,
  type List,
  type Reader,
  type Target,
  type WithBuild,
} from './poll-targets.ts'
import { monotonicMs } from '../lib/monotonic-time.ts'

export interface PollRequestsOptions {
  upstream: Upstream
  readers: ReadonlyMap<string, Reader>
  screens: Screens
  /** When new builds of a repository would last have been seen, by slug. */
  covered: Map<string, number>
  onRefused: (person: Person) => void
}

/** Drone's page size. Older builds are requested one by one. */
const perPage = 100
const repoMs = 60_000

export function createPollRequests({ upstream, readers, screens, covered, onRefused }: PollRequestsOptions) {
  const newest = createNewest()
  /** Without anyone's rights: no event of Drone contains them. */
  const repos = new WeakMap<Reader, Map<string, { repo: Omit<Repo, 'permissions'>; at: number }>>()

  function notify(reader: Reader, update: WithBuild): void {
    if (!isUnseen(reader, update.build)) return
    remember(reader, update.build)
    const json = JSON.stringify(update)
    for (const send of reader.sends) send(json)
  }

  /** Requests the list with the credentials of each viewer of this repository. */
  function alarm(slug: string, build: Build, informed: Reader | null): void {
    const { version } = progressOf(build)
    for (const reader of readers.values()) {
      if (reader === informed || reader.sends.size === 0) continue
      if ((reader.sent.get(build.id)?.version ?? -1) >= version) continue
      if (reader.slugs.has(slug) || reader.repos.has(slug)) reader.due = true
    }
    alarmList(slug, informed?.person.key)
    const target = screens.targets.get(pathOfBuild(slug, build.number))
    if (target) alarmTarget(target, build.id)
  }

  /**
   * People without a permission row have none of its builds in their recent ones, and get no event
   * about it.
   */
  function alarmList(slug: string, except?: string): void {
    const list = screens.lists.get(slug)
    for (const key of list?.lookers.keys() ?? []) {
      const reader = readers.get(key)
      if (key !== except && !reader?.slugs.has(slug) && !reader?.repos.has(slug)) list?.staleFor.add(key)
    }
  }

  /**
   * The stages for people with its page open; the build for people whose recent builds do not
   * contain it.
   */
  function alarmTarget(target: Target, id: number | null): void {
    for (const key of target.lookers.keys()) {
      if (target.pages.has(key) || id === null || !readers.get(key)?.recentIds.has(id)) target.staleFor.add(key)
    }
  }

  async function repoOf(reader: Reader, slug: string): Promise<Omit<Repo, 'permissions'>> {
    const reposOfReader = repos.get(reader) ?? new Map<string, { repo: Omit<Repo, 'permissions'>; at: number }>()
    repos.set(reader, reposOfReader)
    const cached = reposOfReader.get(slug)
    if (cached && monotonicMs() - cached.at < repoMs) return cached.repo
    const { permissions: _, ...repo } = (await requestAs(upstream, reader.person, `/api/repos/${slug}`)) as Repo
    reposOfReader.set(slug, { repo, at: monotonicMs() })
    if (reposOfReader.size > 20) reposOfReader.delete([...reposOfReader.keys()][0] ?? slug)
    return repo
  }

  /** There may be more new builds than one response holds: each list is requested separately. */
  function lacks(reader: Reader): void {
    const { key } = reader.person
    for (const list of screens.lists.values()) if (list.lookers.has(key)) list.staleFor.add(key)
    if (reader.dashboard) reader.dashboard.isBehind = true
  }

  function takeRecent(reader: Reader, list: readonly WithBuild[]): void {
    reader.state = 'admitted'
    const now = monotonicMs()
    const { key } = reader.person
    const ids = list.flatMap(({ build }) => (build ? [build.id] : []))
    const hasGap = reader.newestId > 0 && list.length >= maxRecent && Math.min(...ids) > reader.newestId
    reader.newestId = Math.max(reader.newestId, ...ids)
    reader.recentIds = new Set(ids)
    reader.slugs = new Set(list.map(({ slug }) => slug))
    if (hasGap) lacks(reader)
    else {
      for (const { slug, lookers } of screens.lists.values()) {
        if (lookers.has(key) && reader.repos.has(slug)) reader.slugs.add(slug)
      }
    }
    for (const slug of reader.slugs) covered.set(slug, now)
    // The oldest first, as it happened.
    for (const one of list.toReversed()) if (one.build) take(reader, one.slug, one)
  }

  function take(reader: Reader, slug: string, update: WithBuild): void {
    if (newest.take(update.build)) alarm(slug, update.build, reader)
    notify(reader, update)
    screens.see(reader, slug, update.build, true)
  }

  /** Of one repository, the newest first. */
  async function takeBuilds(reader: Reader, slug: string, builds: readonly Build[]): Promise<void> {
    const repo = builds.some((build) => isUnseen(reader, build)) ? await repoOf(reader, slug) : null
    for (const build of builds.toReversed()) {
      if (repo && isUnseen(reader, build)) take(reader, slug, { ...repo, build })
      else screens.see(reader, slug, build, true)
    }
  }

  async function askRecent(reader: Reader): Promise<void> {
    reader.due = false
    reader.lastTurn = monotonicMs()
    reader.asking = true
    try {
      takeRecent(reader, ((await requestAs(upstream, reader.person, recent)) ?? []) as WithBuild[])
    } catch (error) {
      if (!(error instanceof UpstreamUnavailable) || (error.status !== 401 && error.status !== 403)) return
      // They have lost access. People who never had access learn it from their own calls.
      const wasAdmitted = reader.state === 'admitted'
      reader.state = 'refused'
      if (wasAdmitted) onRefused(reader.person)
    } finally {
      reader.asking = false
    }
  }

  async function askBuild(target: Target, reader: Reader): Promise<void> {
    const { pathname, slug, lookers, staleFor } = target
    const { key } = reader.person
    const looked = lookers.get(key) ?? monotonicMs()
    // Added again at the end: the next request is for another person.
    lookers.delete(key)
    lookers.set(key, looked)
    staleFor.delete(key)
    target.asking += 1
    target.requestedAt = monotonicMs()
    try {
      const build = (await requestAs(upstream, reader.person, pathname)) as Build
      if (typeof build?.id !== 'number') throw new UpstreamUnavailable(404)
      const { version, sum } = progressOf(build)
      const isBehind = (one: Reader | undefined) => {
        const sent = one?.sent.get(build.id)
        return !sent || sent.version < version || sent.sum < sum
      }
      if (isBehind(reader)) notify(reader, { ...(await repoOf(reader, slug)), build })
      if (newest.take(build)) alarm(slug, build, reader)
      if (isDone(build.status)) target.finishedAt ||= monotonicMs()
      if (isSettled(build, monotonicMs() - target.finishedAt)) screens.drop(target, key)
      for (const other of lookers.keys()) if (other !== key && isBehind(readers.get(other))) staleFor.add(other)
    } catch (error) {
      const status = error instanceof UpstreamUnavailable ? error.status : 0
      if (status === 401 || status === 403 || status === 404) screens.drop(target, key)
    } finally {
      target.asking -= 1
    }
  }

  async function askBuilds(slug: string, reader: Reader): Promise<void> {
    const builds = await requestAs(upstream, reader.person, `/api/repos/${slug}/builds?page=1&per_page=${perPage}`)
    if (Array.isArray(builds)) await takeBuilds(reader, slug, builds as Build[])
  }

  async function askList(list: List, reader: Reader): Promise<void> {
    const { key } = reader.person
    const looked = list.lookers.get(key) ?? monotonicMs()
    list.lookers.delete(key)
    list.lookers.set(key, looked)
    list.staleFor.delete(key)
    list.asking += 1
    list.requestedAt = monotonicMs()
    try {
      await askBuilds(list.slug, reader)
    } catch {
      // The page's own calls report what is wrong; it is polled again in turn.
    } finally {
      list.asking -= 1
    }
  }

  /** Several builds of one repository in one response. Older ones are requested one by one. */
  async function askListed(targets: readonly Target[], reader: Reader): Promise<void> {
    const [first] = targets
    const startedAt = monotonicMs()
    for (const target of targets) target.asking += 1
    try {
      if (first) await askBuilds(first.slug, reader)
    } catch {
      // As above.
    } finally {
      for (const target of targets) {
        target.asking -= 1
        target.isOlder = target.listed < startedAt
      }
    }
  }

  async function askDashboard(reader: Reader, board: NonNullable<Reader['dashboard']>): Promise<void> {
    board.isBehind = false
    board.requestedAt = monotonicMs()
    let bytes = 0
    const take = elementsOf((text) => takeRepo(reader, text, true))
    try {
      const response = await upstream.get(`${dashboard}?latest=true`, reader.person.headers)
      if (response.statusCode !== 200) return void response.resume()
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length
        take(chunk)
      }
      board.bytes = bytes
    } catch {
      // As above.
    }
  }

  /**
   * One of the list of repositories, with its latest build. `isOurs`: we asked for it, and the
   * reader has not seen it.
   */
  function takeRepo(reader: Reader, text: string, isOurs: boolean): void {
    if (!isOurs && !mayGoOn(text)) return
    const one = parse(text) as Partial<WithBuild> | null
    if (!one?.slug || typeof one.build?.id !== 'number') return
    const { permissions: _, ...update } = one as WithBuild
    if (isOurs) take(reader, one.slug, update)
    else screens.see(reader, one.slug, one.build, true)
  }

  return { alarmList, alarmTarget, askRecent, askBuild, askList, askListed, askDashboard, takeRepo, newest }
}

const mayGoOn = (text: string): boolean => /"status":"(?:pending|running|blocked|waiting_on_dependencies)"/.test(text)

export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
