/**
 * The access that a new user gets with the account: extra keys of `POST /api/users`, so that
 * administrators need not edit the settings of each repository afterwards.
 */
import type { Permissions, User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import { addAuditEntry } from '../store/audit.ts'
import type { Db } from '../store/open.ts'
import { grantMissing } from '../store/permissions.ts'
import { findRepoBySlug } from '../store/repos.ts'
import { grant } from './rights.ts'

export interface FirstAccess {
  /** `all` existing repositories, or at most 200 slugs. */
  repositories: 'all' | readonly string[]
  rights: Permissions
}

const rightsOf: Readonly<Record<string, Permissions>> = {
  read: { read: true, write: false, admin: false },
  write: { read: true, write: true, admin: false },
  admin: { read: true, write: true, admin: true },
}

const roleNames = Object.keys(rightsOf)

/**
 * `repositories`: `*`, or slugs separated by blanks. `role`: read (the default), write or admin.
 */
export function readFirstAccess(repositories: string | undefined, role: string | undefined): FirstAccess | null {
  const slugs = (repositories ?? '').split(/\s/).filter((slug) => slug !== '')
  if (slugs.length === 0) return null
  const rights = Object.hasOwn(rightsOf, role || 'read') ? rightsOf[role || 'read'] : undefined
  if (!rights) throw new Refusal(400, 'Role must be read, write or admin')
  if (slugs.includes('*')) return { repositories: 'all', rights }
  if (slugs.length > 200) throw new Refusal(400, 'At most 200 repositories can be named at once; * means all')
  return { repositories: slugs, rights }
}

/**
 * Call it within the transaction that creates the account: an unknown repository then creates none.
 */
export async function grantFirstAccess(tx: Db, user: User, access: FirstAccess, now: number): Promise<void> {
  if (access.repositories === 'all') {
    await grantMissing(tx, { userId: user.id }, access.rights, now)
    const role = roleNames.find(
      (name) => rightsOf[name]?.write === access.rights.write && rightsOf[name].admin === access.rights.admin,
    )
    await addAuditEntry(tx, {
      kind: 'rights',
      action: 'access.granted',
      target: 'all repositories',
      name: user.login,
      details: { role },
    })
    return
  }
  for (const slug of new Set(access.repositories)) {
    const repo = await findRepoBySlug(tx, slug)
    if (!repo) throw new Refusal(400, `There is no repository ${slug.slice(0, 100)}`)
    await grant(tx, { user, repoId: repo.id, rights: access.rights, now })
  }
}
