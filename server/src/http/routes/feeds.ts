/**
 * Atom feeds of the newest builds that have finished. Extra routes, which Drone does not have
 * (docs/guide/feeds.md).
 */
import { createHash } from 'node:crypto'
import { isDone, needsApproval, statuses, type RepoWithBuild, type User } from '@flightdeck/api'
import { Refusal } from '../../lib/refusal.ts'
import { filterBuilds, type BuildFilter } from '../../store/filter-builds.ts'
import { listBlockedBuildsOf, listUserFeed } from '../../store/user-feed.ts'
import { queryOf } from '../bodies.ts'
import { readBuildFilter } from '../build-filter.ts'
import { repoOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { atomDocument, updatedOf, type AtomFeed } from '../feed/atom.ts'
import { buildEntry } from '../feed/build-entry.ts'

const maxEntries = 50
/**
 * For how long a feed can still change within the second that `Last-Modified` names: the cause of a
 * failure is added later.
 */
const settledSeconds = 60

const doneStatuses = statuses.filter(isDone)
const shownNames = ['all', 'mine', 'waiting'] as const
type Shown = (typeof shownNames)[number]

const shownOf = (text: string): Shown => {
  const shown = shownNames.find((name) => name === (text || 'all'))
  if (!shown) throw new Refusal(400, `Invalid show ${JSON.stringify(text.slice(0, 50))}: use ${shownNames.join(', ')}`)
  return shown
}

/** Parameters with the same names as in the page. Times are in the reader's time zone there. */
const sharedWithPage = ['text', 'status', 'event', 'branch', 'environment', 'author', 'show'] as const
const filterNames = [...sharedWithPage, 'since', 'until', 'longer', 'shorter'] as const

/**
 * The given ones in a fixed order: a feed has one address and one id, however they were written.
 */
const paramsOf = (c: Call, names: readonly string[]): string => {
  const query = queryOf(c)
  const given = names.flatMap((name) => query.getAll(name).map((value) => [name, value.trim()]))
  const params = new URLSearchParams(given.filter(([, value]) => value !== '')).toString()
  return params === '' ? '' : `?${params}`
}

/** `branch main, status failure` in parentheses; empty without a filter. */
const filterWords = (c: Call): string => {
  const query = queryOf(c)
  const names = sharedWithPage.filter((name) => name !== 'show')
  const parts = names.flatMap((name) => query.getAll(name).map((value) => `${name} ${value.trim()}`))
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** Only finished builds. `null`: no build matches. */
const doneOnly = (filter: BuildFilter): BuildFilter | null => {
  const statuses = filter.statuses.length === 0 ? doneStatuses : filter.statuses.filter(isDone)
  return statuses.length === 0 ? null : { ...filter, statuses }
}

const userTitles: Record<Shown, string> = { all: 'Builds', mine: 'My builds', waiting: 'Waiting for me' }

export function feedsRoutes({ store: { db }, ci, box, publicUrl, version, now }: Required<HttpDependencies>) {
  /** Stays the same after a restart, a new address and renames; unique to this server. */
  const idOf = (name: string): string => {
    const bytes = createHash('sha256')
      .update(box.derive(`feed ${name}`))
      .digest()
    // RFC 9562 version 8: made by a rule of our own.
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')}`
  }

  function answer(c: Call, feed: AtomFeed): Response {
    const text = atomDocument(feed)
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    const updated = updatedOf(feed)
    const modified = updated < now() - settledSeconds ? new Date(updated * 1000).toUTCString() : undefined
    const headers = new Headers({
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Cookie',
      ETag: etag,
      ...(modified !== undefined && { 'Last-Modified': modified }),
    })
    const known = c.req.header('if-none-match')
    const isKnown =
      known === undefined
        ? modified !== undefined && c.req.header('if-modified-since') === modified
        : known.includes(etag)
    if (isKnown) return new Response(null, { status: 304, headers })
    headers.set('Content-Type', 'application/atom+xml; charset=utf-8')
    return new Response(text, { headers })
  }

  async function buildsFor(user: User, shown: Shown, filter: BuildFilter): Promise<RepoWithBuild[]> {
    if (shown === 'waiting') {
      const blocked = await listBlockedBuildsOf(db, user, maxEntries)
      const withReasons = await ci.withReasons(blocked.map(({ build }) => build))
      return blocked.flatMap((item, index) => {
        const build = withReasons[index] ?? item.build
        return needsApproval(build) ? [{ ...item, build }] : []
      })
    }
    const done = doneOnly({ ...filter, ...(shown === 'mine' && { person: user.login }) })
    if (!done) return []
    const items = await listUserFeed(db, user, { filter: done, limit: maxEntries, now: now() })
    const withReasons = await ci.withReasons(items.map(({ build }) => build))
    return items.map((item, index) => ({ ...item, build: withReasons[index] ?? item.build }))
  }

  const entriesOf = (items: readonly RepoWithBuild[], withSlug: boolean) =>
    items
      .map((item) => buildEntry(item, { publicUrl, idOf, withSlug }))
      .toSorted((one, other) => other.updated - one.updated)

  return {
    'GET /api/user/feed.atom': async (c) => {
      const user = userOf(c)
      const query = queryOf(c)
      const shown = shownOf(query.get('show') ?? '')
      const items = await buildsFor(user, shown, readBuildFilter(query))
      const params = paramsOf(c, filterNames)
      return answer(c, {
        id: idOf(`user ${user.id} ${params}`),
        title: `${userTitles[shown]}${filterWords(c)} · Flightdeck`,
        self: `${publicUrl}/api/user/feed.atom${params}`,
        page: `${publicUrl}/builds-feed${paramsOf(c, sharedWithPage)}`,
        version,
        updated: user.created,
        entries: entriesOf(items, true),
      })
    },
    'GET /api/repos/:owner/:name/builds/feed.atom': async (c) => {
      const repo = repoOf(c)
      const filter = doneOnly(readBuildFilter(queryOf(c)))
      const page = { before: Number.MAX_SAFE_INTEGER, limit: maxEntries, now: now() }
      const { items } = filter ? await filterBuilds(db, repo.id, { ...page, filter }) : { items: [] }
      const withReasons = await ci.withReasons(items)
      const names = filterNames.filter((name) => name !== 'show')
      const params = paramsOf(c, names)
      const path = [repo.namespace, repo.name].map(encodeURIComponent).join('/')
      return answer(c, {
        id: idOf(`repository ${repo.id} ${params}`),
        title: `Builds of ${repo.slug}${filterWords(c)} · Flightdeck`,
        self: `${publicUrl}/api/repos/${path}/builds/feed.atom${params}`,
        page: `${publicUrl}/${path}${paramsOf(
          c,
          sharedWithPage.filter((name) => name !== 'show'),
        )}`,
        version,
        updated: repo.created,
        entries: entriesOf(
          withReasons.map((build) => ({ ...repo, build })),
          false,
        ),
      })
    },
  } satisfies Record<string, Handler>
}
