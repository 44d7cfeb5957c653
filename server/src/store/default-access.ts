/** `--default-access`: the permissions of users without explicit ones. */
import type { User } from '@flightdeck/api'
import type { Db } from './open.ts'
import { grantMissing } from './permissions.ts'

export type DefaultAccess = 'none' | 'read' | 'write'

/** Grants the permissions of a new user. Administrators get all permissions, as at each sync. */
export async function welcomeUser(db: Db, user: User, access: DefaultAccess, now: number): Promise<void> {
  if (!user.admin && access === 'none') return
  const rights = { read: true, write: user.admin || access === 'write', admin: user.admin }
  await grantMissing(db, { userId: user.id }, rights, now, { fromRole: user.admin })
}

/** Grants all existing users their permissions on new repositories. */
export async function welcomeRepos(
  db: Db,
  repoIds: readonly number[],
  access: DefaultAccess,
  now: number,
): Promise<void> {
  if (access === 'none' || repoIds.length === 0) return
  await grantMissing(db, { repoIds }, { read: true, write: access === 'write', admin: false }, now)
}
