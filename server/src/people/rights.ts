/** The access of one user to one repository. */
import type { Permissions, User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from '../store/open.ts'
import { setPermissions } from '../store/permissions.ts'

/** Each level includes the lower ones. Returns the new access. */
export async function grant(
  db: Db,
  { user, repoId, rights, now }: { user: User; repoId: number; rights: Partial<Permissions>; now: number },
): Promise<Permissions> {
  const admin = rights.admin ?? false
  const write = admin || (rights.write ?? false)
  // A user without access has no row; DELETE removes it.
  if (!write && rights.read === false) throw new Refusal(400, 'A collaborator needs at least read access')
  const permissions = { read: true, write, admin }
  await setPermissions(db, { userId: user.id, repoId }, permissions, now)
  return permissions
}
