/**
 * Searches the full-text index with a timeout. Runs in a worker thread, because the cost of a
 * single query is unlimited.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { inRepositories, parseQuery } from './words.ts'

export interface FindJob {
  text: string
  /**
   * The user's id, whether the user is an administrator, and whether they can see internal
   * repositories.
   */
  reader: { id: number; admin: boolean; internal: boolean }
  /** The maximum number of ids. */
  limit: number
  /** The timeout of the search. */
  timeMs: number
}

export interface FoundIds {
  /** The ids of builds, best matches first: those with that number, then the newest. */
  ids: number[]
  /** Whether there may be more: the limit or the timeout ended the search. */
  more: boolean
}

/**
 * A search by a user with fewer repositories than this is restricted to them, because common words
 * would match many hidden builds. With more repositories, visible matches are found soon.
 */
const maxNamedRepos = 200
/** The number of rows between two checks of the clock. */
const clockRows = 500

/**
 * The repositories that the reader can see, by the same rules as the guards (`http/guards.ts`,
 * level "read").
 */
const visibleRepos = `
  select repo_id as id, repo_slug as slug from repos
  where repo_visibility in ('public', ?)
    or repo_id in (select perm_repo_id from perms where perm_user_id = ? and perm_read = 1)`
const allRepos = 'select repo_id as id, repo_slug as slug from repos'
const hits = `
  select build_words.rowid as id, build_repo_id as repo from build_words join builds on build_id = build_words.rowid
  where build_words match ? order by build_words.rowid desc`

interface Row {
  id: number
  repo: number
}

const reposOf = (
  db: DatabaseSyncInstance,
  { id, admin, internal }: FindJob['reader'],
): { id: number; slug: string }[] =>
  (admin ? db.prepare(allRepos).all() : db.prepare(visibleRepos).all(internal ? 'internal' : 'public', id)) as {
    id: number
    slug: string
  }[]

const isNamed = (slug: string, name: string): boolean => {
  const lower = slug.toLowerCase()
  return lower === name || lower.endsWith(`/${name}`)
}

export const findBuildIds = (db: DatabaseSyncInstance, { text, reader, limit, timeMs }: FindJob): FoundIds => {
  const end = performance.now() + timeMs
  const { named, expressions: plain } = parseQuery(text)
  if (plain.length === 0) return { ids: [], more: false }
  const all = reposOf(db, reader)
  const ofName = named ? all.filter(({ slug }) => isNamed(slug, named.repository)) : []
  const isOfName = named !== undefined && ofName.length > 0
  const repos = isOfName ? ofName : all
  const expressions = isOfName ? [named.expression] : plain
  if (repos.length === 0) return { ids: [], more: false }
  const isEvery = reader.admin && !isOfName
  const visible = new Set(repos.map(({ id }) => id))
  const found = new Set<number>()
  for (const expression of expressions) {
    const restricted = isEvery || visible.size > maxNamedRepos ? expression : inRepositories(expression, [...visible])
    let rowCount = 0
    for (const { id, repo } of db.prepare(hits).iterate(restricted) as Iterable<Row>) {
      rowCount += 1
      if (rowCount % clockRows === 0 && performance.now() > end) return { ids: [...found], more: true }
      if (!visible.has(repo) || found.has(id)) continue
      if (found.size === limit) return { ids: [...found], more: true }
      found.add(id)
    }
  }
  return { ids: [...found], more: false }
}
