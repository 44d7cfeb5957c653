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
  /** The file with the generated password; only at the first start. */
  passwordFile?: string
  /**
   * Resolves when the administrator has the configured password and older sessions are ended.
   * Requests wait for it.
   */
  ready: Promise<void>
}

export interface FirstStart {
  /** The data folder. */
  data: string
  /** Without a password, one is generated if the account has none. */
  admin: { login: string; password: string | undefined } | undefined
}

interface Named {
  login: string
  password: string
}

/**
 * A changed password ends sessions and tokens; a restart with the same settings changes nothing.
 */
async function renewPassword(db: Db, id: number, password: string): Promise<void> {
  if (await isPassword(password, await findPassword(db, id))) return
  await setPassword(db, id, await hashPassword(password))
  await deleteUserSessions(db, id)
  await deleteInvitations(db, id)
  await revokeTokens(db, id)
}

/** Creates the configured administrator, or sets the password. */
async function named(db: Db, admin: Named, now: number): Promise<Administrator> {
  const existing = await findUserByLogin(db, admin.login)
  if (!existing) {
    const password = await hashPassword(admin.password)
    const user = await createUser(db, { login: admin.login, admin: true, created: now, password })
    return { user, ready: Promise.resolve() }
  }
  const ready = renewPassword(db, existing.id, admin.password)
  // On a usual restart the comparison takes a third of the start-up time, so nothing else waits for
  // it.
  if (existing.admin && existing.active) return { user: existing, ready }
  await ready
  return { user: (await updateUser(db, existing.id, { admin: true, active: true })) ?? existing, ready }
}

/** `null` if no account was created or changed. */
export async function prepareAdministrator(db: Db, options: FirstStart, now: number): Promise<Administrator | null> {
  const passwordFile = join(options.data, 'admin-password')
  const { login = 'admin', password: given } = options.admin ?? {}
  if (given !== undefined) {
    const { user, ready } = await named(db, { login, password: given }, now)
    // The file's password is out of date if it was generated for this account.
    const discard = () => rmSync(passwordFile, { force: true })
    return { user, ready: user.login === 'admin' ? ready.then(discard) : ready }
  }
  const existing = options.admin && (await findUserByLogin(db, login))
  // An existing administrator keeps the password if the options have none.
  if (existing) {
    const user = await updateUser(db, existing.id, { admin: true, active: true })
    return { user: user ?? existing, ready: Promise.resolve() }
  }
  if (!options.admin && (await listUsers(db)).some((user) => user.admin)) return null
  const password = newToken(20)
  // Write the file before the account: a crash in between then leaves no account with an unknown
  // password.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  return { ...(await named(db, { login, password }, now)), passwordFile }
}
