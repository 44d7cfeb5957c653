/** The levels of docs/api §2.0, with the refusals that belong to each. */
import { type Repo, texts, type User } from '@flightdeck/api'
import type { Db } from '../store/open.ts'
import { findPermissions } from '../store/permissions.ts'
import { findRepoBySlug } from '../store/repos.ts'
import { narrower, seesInternal } from '../store/visibility.ts'
import type { Level } from './access.ts'
import type { Call } from './context.ts'
import { notFound } from './errors.ts'
import { Refusal } from '../lib/refusal.ts'
import { param } from './context.ts'

type RepoLevel = 'read' | 'member' | 'write' | 'admin'

const mayWithoutRow = (repo: Repo, user: User | null, level: RepoLevel): boolean =>
  user?.admin === true ||
  (level === 'read' && (repo.visibility === 'public' || (repo.visibility === 'internal' && seesInternal(user))))

/**
 * Refuses, or answers with the repository. A namespace with slashes is one encoded part of the
 * address: no other way to divide the slug is one. `visibilityThen`: its visibility at an earlier
 * time, for what happened then; the narrower one counts.
 */
export async function requireRepo(
  db: Db,
  user: User | null,
  slug: string,
  level: RepoLevel,
  {
    namespace,
    visibilityThen,
  }: { namespace?: string | undefined; visibilityThen?: Repo['visibility'] | undefined } = {},
): Promise<Repo> {
  const refusal = () => (user ? notFound() : new Refusal(401, texts.unauthorized))
  const repo = await findRepoBySlug(db, slug)
  if (!repo || (namespace !== undefined && repo.namespace !== namespace)) throw refusal()
  const visibility = narrower(repo.visibility, visibilityThen ?? repo.visibility)
  if (mayWithoutRow({ ...repo, visibility }, user, level)) return repo
  const rights = user && (await findPermissions(db, user.id, repo.id))
  if (!rights) throw refusal()
  if (!rights[level === 'member' ? 'read' : level]) throw refusal()
  return repo
}

/** The same check without an error; it costs the same for a repository that does not exist. */
export async function mayRead(db: Db, user: User | null, repo: Repo | null): Promise<boolean> {
  const rights = user && (await findPermissions(db, user.id, repo?.id ?? 0))
  return repo !== null && (mayWithoutRow(repo, user, 'read') || rights?.read === true)
}

/** docs/api §2.0: a signed-in user gets 401 as well, with a different text. */
function enterNamespace(c: Call): void {
  const user = c.get('user')
  if (!user) throw new Refusal(401, texts.unauthorized)
  const isOwn = user.login === param(c, 'namespace')
  if (!user.admin && !isOwn) throw new Refusal(401, texts.forbidden)
}

/** Runs before every route. */
export async function guard(db: Db, c: Call, level: Level): Promise<void> {
  // The handler refuses metrics with its own message.
  if (level === 'anyone' || level === 'metrics') return
  if (level === 'namespace') return enterNamespace(c)
  if (level === 'user' || level === 'sysadmin') {
    const user = c.get('user')
    if (!user) throw new Refusal(401, texts.unauthorized)
    if (level === 'sysadmin' && !user.admin) throw new Refusal(403, texts.forbidden)
    return
  }
  c.set(
    'repo',
    await requireRepo(db, c.get('user'), `${param(c, 'owner')}/${param(c, 'name')}`, level, {
      namespace: param(c, 'owner'),
    }),
  )
}
