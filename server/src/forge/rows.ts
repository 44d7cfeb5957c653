/** Updates a repository's row from the forge, identified by its id, not its name. */
import type { Repo, Visibility } from '@flightdeck/api'
import { findForgeRepo, freeSlug, moveRepo, setForgeFacts, setForgeRepoState } from '../store/forge-repos.ts'
import { followNamespace } from '../store/forge-namespaces.ts'
import type { Db } from '../store/open.ts'
import { createRepo, findRepo, findRepoBySlug, findRepoInternals, updateRepoInternals } from '../store/repos.ts'
import type { Driver, ForgeRepository } from './driver.ts'

/**
 * First parts of addresses that are Flightdeck's own; a namespace of that name could not be
 * reached.
 */
const reserved = new Set(
  '404 account api assets authorize badges builds-feed debug favicon.ico favicon.svg healthz hook index.html link login logout metrics readyz register robots.txt rpc settings static varz version welcome'.split(
    ' ',
  ),
)
const part = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/

/** Whether a repository can have an address here. Other repositories of the forge are skipped. */
export function isAddressable({ id, namespace, name }: Pick<ForgeRepository, 'id' | 'namespace' | 'name'>): boolean {
  const parts = namespace.split('/')
  if (id === '' || id.includes('/') || id.length > 100) return false
  if (parts.length > 20 || ![...parts, name].every((one) => part.test(one)) || name.endsWith('.git')) return false
  return !reserved.has((parts[0] ?? '').toLowerCase())
}

export interface RowsContext {
  driver: Driver
  pathOf: (repoId: number) => string
}

const isStricter = (now: Visibility, before: Visibility): boolean => {
  const order: Visibility[] = ['public', 'internal', 'private']
  return order.indexOf(now) > order.indexOf(before)
}

/**
 * Visibility here follows the forge when the forge's own visibility changes. A repository made
 * private is private immediately; a repository that an administrator has restricted further stays
 * restricted.
 */
function visibilityOf(repo: Repo, at: ForgeRepository): Visibility {
  const isPrivate = at.visibility !== 'public'
  if (repo.private !== isPrivate) return at.visibility
  return repo.visibility === 'internal' && isStricter(at.visibility, 'internal') ? 'private' : repo.visibility
}

const differs = (repo: Repo, facts: Record<string, unknown>): boolean =>
  Object.entries(facts).some(([key, value]) => repo[key as keyof Repo] !== value)

/** In a transaction. Returns the row, or `null` if a local folder has that name. */
export async function storeRepository(
  tx: Db,
  { driver, pathOf }: RowsContext,
  at: ForgeRepository,
  now: number,
): Promise<Repo | null> {
  const slug = `${at.namespace}/${at.name}`
  if (at.namespaceId !== '') await followNamespace(tx, { uid: at.namespaceId, name: at.namespace })
  const existing = await findForgeRepo(tx, at.id)
  if (existing?.slug !== slug) {
    const holder = await findRepoBySlug(tx, slug)
    if (holder && !(await findRepoInternals(tx, holder.id))?.forge) return null
    // Another repository had this name; its own id will give its new one.
    if (holder) await freeSlug(tx, holder)
  }
  const facts = {
    private: at.visibility !== 'public',
    archived: at.archived,
    default_branch: at.defaultBranch || existing?.default_branch || 'main',
    git_http_url: driver.cloneUrl(at),
    git_ssh_url: '',
    link: driver.links.repository(slug),
  }
  if (!existing) {
    const made = await createRepo(tx, {
      uid: at.id,
      namespace: at.namespace,
      name: at.name,
      path: '',
      forge: true,
      visibility: at.visibility,
      now,
      ...facts,
    })
    await setForgeFacts(tx, made.id, { ...facts, visibility: at.visibility }, now)
    await updateRepoInternals(tx, made.id, { path: pathOf(made.id) })
    await setForgeRepoState(tx, made.id, {})
    return findRepo(tx, made.id)
  }
  if (existing.slug !== slug) await moveRepo(tx, existing, at, now)
  const all = { ...facts, visibility: visibilityOf(existing, at) }
  if (differs(existing, all)) await setForgeFacts(tx, existing.id, all, now)
  await setForgeRepoState(tx, existing.id, { isRemoved: false })
  return findRepo(tx, existing.id)
}
