/**
 * Maps users of the forge to accounts here. The forge's id is the identity; another user can have
 * the login later.
 */
import type { User } from '@flightdeck/api'
import { findForgeAccount, findForgeAccountByUid, saveForgeAccount, setLogin } from '../store/forge-accounts.ts'
import { moveOrgSecrets } from '../store/forge-namespaces.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { findSetting, saveSetting } from '../store/settings.ts'
import { createUser, findPassword, findUser, findUserByLogin, updateUser } from '../store/users.ts'
import type { ForgeUser } from './driver.ts'

export interface Admission {
  access: 'everybody' | 'members' | 'invited'
  /**
   * Names of organizations whose members can sign in, and of people: a forge has one namespace for
   * both.
   */
  organizations: readonly string[]
  admins: readonly string[]
}

/** Drone's messages for the two refusals. */
const closedText = 'User registration is disabled'
const memberText = 'User must be a member of an approved organization'

export type Admitted = { user: User; isNew: boolean } | { refused: string }

const withoutForeignLetters = (login: string): string => login.replaceAll(/[^\w.-]/g, '-').slice(0, 40)

/**
 * Whether an administrator created this account for a user who has never signed in: it is reserved
 * for a user of that login.
 */
const isVacant = async (tx: Db, user: User): Promise<boolean> =>
  !user.machine &&
  user.last_login === 0 &&
  (await findPassword(tx, user.id)) === null &&
  (await findForgeAccount(tx, user.id)) === null

/** The login to use here: if two users claim one, the forge's current one counts. */
async function takeLogin(tx: Db, login: string, person: ForgeUser, user?: User): Promise<string> {
  const holder = await findUserByLogin(tx, login)
  if (!holder || holder.id === user?.id) return login
  const account = await findForgeAccount(tx, holder.id)
  // A local account keeps the name.
  if (!account) return `${withoutForeignLetters(login)}-${person.id}`.slice(0, 50)
  // The former holder has been renamed on the forge; its namespace's secrets move with it.
  const other = `${withoutForeignLetters(login)}-${account.uid}`.slice(0, 50)
  await setLogin(tx, holder.id, other)
  await moveOrgSecrets(tx, login, other)
  return login
}

const namedKey = (as: 'admin' | 'user', name: string): string => `forge-${as}:${name.toLowerCase()}`

/**
 * True only for the first account with one of these logins: another person can have the login
 * later.
 */
async function isNamed(
  tx: Db,
  as: 'admin' | 'user',
  names: readonly string[],
  person: Pick<ForgeUser, 'id' | 'login'>,
): Promise<boolean> {
  const named = names.find((login) => login.toLowerCase() === person.login.toLowerCase())
  if (named === undefined) return false
  const key = namedKey(as, named)
  const holder = await findSetting(tx, key)
  if (holder === null) await saveSetting(tx, key, person.id)
  return holder === null || holder === person.id
}

/** Whether an account that has signed in before was named, by the login that it had then. */
export async function wasNamed(db: Db, { admins, organizations }: Admission, uid: string): Promise<boolean> {
  const keys = [
    ...admins.map((name) => namedKey('admin', name)),
    ...organizations.map((name) => namedKey('user', name)),
  ]
  for (const key of keys) if ((await findSetting(db, key)) === uid) return true
  return false
}

/** Finds or makes the account, and keeps the sealed token. */
export const admit = (
  db: Db,
  admission: Admission,
  { person, token, isMember }: { person: ForgeUser; token: string; isMember: boolean },
  now: number,
): Promise<Admitted> =>
  inTransaction(db, async (tx) => {
    const account = await findForgeAccountByUid(tx, person.id)
    const named = await findUserByLogin(tx, person.login)
    const vacant = !account && named && (await isVacant(tx, named)) ? named : null
    const isAdmin = await isNamed(tx, 'admin', admission.admins, person)
    const isInvited = account !== null || vacant !== null || isAdmin
    if (admission.access === 'invited' && !isInvited) return { refused: closedText }
    const isIn = isMember || isAdmin || (await isNamed(tx, 'user', admission.organizations, person))
    if (admission.access === 'members' && !isIn) return { refused: memberText }
    const before = account ? await findUser(tx, account.userId) : vacant
    if (before && !before.active) return { refused: 'Account is not active' }
    const user = before ? await changed(tx, before, person) : await created(tx, person, now)
    const promoted = isAdmin && !user.admin ? ((await updateUser(tx, user.id, { admin: true })) ?? user) : user
    await saveForgeAccount(tx, { userId: user.id, uid: person.id, login: person.login, token, checked: now })
    return { user: promoted, isNew: account === null }
  })

async function created(tx: Db, person: ForgeUser, now: number): Promise<User> {
  const login = await takeLogin(tx, person.login, person)
  const user = await createUser(tx, { login, email: person.email, avatar: person.avatar, created: now })
  return person.external ? ((await updateUser(tx, user.id, { external: true })) ?? user) : user
}

async function changed(tx: Db, user: User, person: ForgeUser): Promise<User> {
  const login = user.login === person.login ? user.login : await takeLogin(tx, person.login, person, user)
  if (login !== user.login) {
    await setLogin(tx, user.id, login)
    await moveOrgSecrets(tx, user.login, login)
  }
  const email = user.email || person.email
  return (await updateUser(tx, user.id, { avatar: person.avatar, email, external: person.external })) ?? user
}
