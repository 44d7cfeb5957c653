/** Accounts: made, changed, closed (docs/api §2.2). Whoever goes takes his sessions, links and token with him. */
import type { User } from '@flightdeck/api'
import { Refusal } from '../refusal.ts'
import { welcomeUser, type DefaultAccess } from '../store/default-access.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { transferRepos } from '../store/owners.ts'
import { giveFirstAccess, type FirstAccess } from './first-access.ts'
import { deleteInvitations, deleteUserSessions } from '../store/sessions.ts'
import {
  createUser,
  deleteUser,
  findUser,
  hasOtherAdministrator,
  setToken,
  updateUser,
  type NewUser,
} from '../store/users.ts'

export function checkLogin(login: string): void {
  const bytes = new TextEncoder().encode(login).length
  if (bytes === 0 || bytes > 50) throw new Refusal(400, 'Invalid username length')
  // An address that ends in `.` or `..` is another one (docs/api §0): nobody could disable such an account again.
  if (!/^(?!\.{1,2}$)[.a-zA-Z0-9_-]+$/.test(login)) throw new Refusal(400, 'Invalid character in username')
}

/** Within the transaction that takes the right away: two administrators may do it to each other at the same moment. */
async function checkLast(tx: Db, { id, login }: User): Promise<void> {
  const user = await findUser(tx, id)
  if (!user?.admin || !user.active || (await hasOtherAdministrator(tx, id))) return
  throw new Refusal(409, `${login} is the last administrator: make somebody else administrator first`)
}

/** With what everybody may do here from the start, and what this person was given by name. */
export const openAccount = (
  db: Db,
  account: NewUser,
  access: DefaultAccess,
  first: FirstAccess | null,
): Promise<User> =>
  inTransaction(db, async (tx) => {
    const created = await createUser(tx, account)
    // What is named comes first: the rest is given only where there is nothing yet.
    if (first) await giveFirstAccess(tx, created, first, account.created)
    await welcomeUser(tx, created, access, account.created)
    return created
  })

/** `null` if the account is gone. One that is disabled is no administrator any more. */
export const changeAccount = (
  db: Db,
  user: User,
  { admin, active }: { admin?: boolean | undefined; active?: boolean | undefined },
): Promise<User | null> =>
  inTransaction(db, async (tx) => {
    if (active === false || admin === false) await checkLast(tx, user)
    if (active === false) {
      await transferRepos(tx, user.id)
      await deleteUserSessions(tx, user.id)
      await deleteInvitations(tx, user.id)
      // Else it would be good again when the account is.
      await setToken(tx, user.id, null)
    }
    return updateUser(tx, user.id, active === false ? { admin: false, active } : { admin, active })
  })

export const closeAccount = (db: Db, user: User): Promise<void> =>
  inTransaction(db, async (tx) => {
    await checkLast(tx, user)
    await transferRepos(tx, user.id)
    await deleteUserSessions(tx, user.id)
    await deleteUser(tx, user.id)
  })
