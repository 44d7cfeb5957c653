/** The administrator's account (issue 3, option `--admin`). */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { User } from '@flightdeck/api'
import { newToken } from './sessions.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { Db } from '../store/open.ts'
import { deleteInvitations, deleteUserSessions } from '../store/sessions.ts'
import {
  createUser,
  findPassword,
  findUserByLogin,
  listUsers,
  setPassword,
  setToken,
  updateUser,
} from '../store/users.ts'

export interface Administrator {
  user: User
  /** Where a generated password was written; only at the first start. */
  passwordFile?: string
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

/** The one that was named: made, or given this password. */
async function named(db: Db, admin: Named, now: number): Promise<User> {
  const known = await findUserByLogin(db, admin.login)
  if (!known) {
    const password = await hashPassword(admin.password)
    return createUser(db, { login: admin.login, admin: true, created: now, password })
  }
  // Whoever held an old one is signed out, and its token ends; a restart with the same settings changes nothing for anybody.
  if (!(await isPassword(admin.password, await findPassword(db, known.id)))) {
    await setPassword(db, known.id, await hashPassword(admin.password))
    await deleteUserSessions(db, known.id)
    await deleteInvitations(db, known.id)
    await setToken(db, known.id, null)
  }
  return (await updateUser(db, known.id, { admin: true, active: true })) ?? known
}

/** `null` if nobody had to be made or changed. */
export async function prepareAdministrator(db: Db, options: FirstStart, now: number): Promise<Administrator | null> {
  const passwordFile = join(options.data, 'admin-password')
  const { login = 'admin', password: given } = options.admin ?? {}
  if (given !== undefined) {
    const user = await named(db, { login, password: given }, now)
    // What it holds is not true any more, if it was made for this account.
    if (user.login === 'admin') rmSync(passwordFile, { force: true })
    return { user }
  }
  const known = options.admin && (await findUserByLogin(db, login))
  // Named without a password: the one that is there keeps his own.
  if (known) return { user: (await updateUser(db, known.id, { admin: true, active: true })) ?? known }
  if (!options.admin && (await listUsers(db)).some((user) => user.admin)) return null
  const password = newToken(20)
  // Before the account: a crash in between leaves no account with a password that nobody knows.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  return { user: await named(db, { login, password }, now), passwordFile }
}
