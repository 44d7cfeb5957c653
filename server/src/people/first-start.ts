/** The administrator's account. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { User } from '@flightdeck/api'
import { newToken } from './sessions.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { revokeTokens } from './tokens.ts'
import type { Db } from '../store/open.ts'
import { deleteInvitations, deleteUserSessions } from '../store/sessions.ts'
import { createUser, findPassword, findUserByLogin, listUsers, setPassword, updateUser } from '../store/users.ts'

export interface Administrator {
  user: User
  /** Where a generated password was written; only at the first start. */
  passwordFile?: string
  /** The administrator has the password of the options, and sessions of an older one have ended. The server answers after it. */
  ready: Promise<void>
}

export interface FirstStart {
  /** The data folder. */
  data: string
  /** Without a password: one is generated if there is none yet. */
  admin: { login: string; password: string | undefined } | undefined
}

interface Named {
  login: string
  password: string
}

/** Sessions and tokens of an old password end; a restart with the same settings changes nothing. */
async function renewPassword(db: Db, id: number, password: string): Promise<void> {
  if (await isPassword(password, await findPassword(db, id))) return
  await setPassword(db, id, await hashPassword(password))
  await deleteUserSessions(db, id)
  await deleteInvitations(db, id)
  await revokeTokens(db, id)
}

/** The one that was named: made, or given this password. */
async function named(db: Db, admin: Named, now: number): Promise<Administrator> {
  const known = await findUserByLogin(db, admin.login)
  if (!known) {
    const password = await hashPassword(admin.password)
    const user = await createUser(db, { login: admin.login, admin: true, created: now, password })
    return { user, ready: Promise.resolve() }
  }
  const ready = renewPassword(db, known.id, admin.password)
  // To compare one takes a third of a start, and nothing else has to wait for it: the usual restart.
  if (known.admin && known.active) return { user: known, ready }
  await ready
  return { user: (await updateUser(db, known.id, { admin: true, active: true })) ?? known, ready }
}

/** `null` if no account was created or changed. */
export async function prepareAdministrator(db: Db, options: FirstStart, now: number): Promise<Administrator | null> {
  const passwordFile = join(options.data, 'admin-password')
  const { login = 'admin', password: given } = options.admin ?? {}
  if (given !== undefined) {
    const { user, ready } = await named(db, { login, password: given }, now)
    // What it holds is not true any more, if it was made for this account.
    const discard = () => rmSync(passwordFile, { force: true })
    return { user, ready: user.login === 'admin' ? ready.then(discard) : ready }
  }
  const known = options.admin && (await findUserByLogin(db, login))
  // Named without a password: an existing administrator keeps the password.
  if (known) {
    const user = await updateUser(db, known.id, { admin: true, active: true })
    return { user: user ?? known, ready: Promise.resolve() }
  }
  if (!options.admin && (await listUsers(db)).some((user) => user.admin)) return null
  const password = newToken(20)
  // Before the account: a crash in between leaves no account with an unknown password.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  return { ...(await named(db, { login, password }, now)), passwordFile }
}
