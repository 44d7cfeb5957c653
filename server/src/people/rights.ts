/** What one person may do with one repository. */
import type { Permissions, User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from '../store/open.ts'
import { setPermissions } from '../store/permissions.ts'

/** Each right holds the ones below it. Answers what the person may do now. */
export async function grant(
  db: Db,
  { user, repoId, rights, now }: { user: User; repoId: number; rights: Partial<Permissions>; now: number },
): Promise<Permissions> {
  const admin = rights.admin ?? false
  const write = admin || (rights.write ?? false)
  // A person without rights has no row: that is what DELETE is for.
  if (!write && rights.read === false) throw new Refusal(400, 'A collaborator needs at least read access')
  const permissions = { read: true, write, admin }
  await setPermissions(db, { userId: user.id, repoId }, permissions, now)
  return permissions
}
