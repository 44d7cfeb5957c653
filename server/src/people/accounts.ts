/**
 * Creates, changes and closes accounts (docs/api §2.2). Closing one ends its sessions, links and
 * tokens.
 */
import type { User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import { welcomeUser, type DefaultAccess } from '../store/default-access.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { deleteRoleRights } from '../store/permissions.ts'
import { transferRepos } from '../store/owners.ts'
import { grantFirstAccess, type FirstAccess } from './first-access.ts'
import { revokeTokens } from './tokens.ts'
import { deleteInvitations, deleteUserSessions } from '../store/sessions.ts'
import { createUser, deleteUser, findUser, hasOtherAdministrator, updateUser, type NewUser } from '../store/users.ts'

export function checkLogin(login: string): void {
  const bytes = new TextEncoder().encode(login).length
  if (bytes === 0 || bytes > 50) throw new Refusal(400, 'Invalid username length')
  // URL parsers resolve `.` and `..` (docs/api §0), so an account with such a login could never be
  // disabled.
  if (!/^(?!\.{1,2}$)[.a-zA-Z0-9_-]+$/.test(login)) throw new Refusal(400, 'Invalid character in username')
}

/**
 * Call it within the transaction that revokes the role: two administrators may revoke each other's
 * at once.
 */
async function checkLast(tx: Db, { id, login }: User): Promise<void> {
  const user = await findUser(tx, id)
  if (!user?.admin || !user.active || (await hasOtherAdministrator(tx, id))) return
  throw new Refusal(409, `${login} is the last administrator; make someone else an administrator first`)
}

/** Creates an account with the default access, plus the access that was granted to this user. */
export const openAccount = (
  db: Db,
  account: NewUser,
  access: DefaultAccess,
  first: FirstAccess | null,
): Promise<User> =>
  inTransaction(db, async (tx) => {
    const created = await createUser(tx, account)
    // Grants for named repositories come first: the default access does not replace existing
    // access.
    if (first) await grantFirstAccess(tx, created, first, account.created)
    await welcomeUser(tx, created, access, account.created)
    return created
  })

interface AccountChange {
  admin?: boolean | undefined
  active?: boolean | undefined
  /** The default access, which remains when an administrator loses the role. */
  access: DefaultAccess
  /** Unix seconds. */
  now: number
}

/**
 * Returns `null` if the account was deleted. Disabling an account also revokes the administrator
 * role, and the access to repositories that came with it; access that was granted to the user
 * stays.
 */
export const changeAccount = (
  db: Db,
  user: User,
  { admin, active, access, now }: AccountChange,
): Promise<User | null> =>
  inTransaction(db, async (tx) => {
    if (active === false || admin === false) await checkLast(tx, user)
    // Reads the row again: it may have changed since the caller read it.
    const wasAdmin = (await findUser(tx, user.id))?.admin === true
    if (active === false) {
      await transferRepos(tx, user.id)
      await deleteUserSessions(tx, user.id)
      await deleteInvitations(tx, user.id)
      // Otherwise the token would work again once the account is enabled.
      await revokeTokens(tx, user.id)
    }
    const changed = await updateUser(tx, user.id, active === false ? { admin: false, active } : { admin, active })
    if (wasAdmin && changed?.admin === false) {
      await deleteRoleRights(tx, user.id)
      await welcomeUser(tx, changed, access, now)
    }
    return changed
  })

export const closeAccount = (db: Db, user: User): Promise<void> =>
  inTransaction(db, async (tx) => {
    await checkLast(tx, user)
    await transferRepos(tx, user.id)
    await deleteUserSessions(tx, user.id)
    await deleteUser(tx, user.id)
  })
