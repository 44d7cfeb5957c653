/** The user that an address names. */
import type { User } from '@flightdeck/api'
import type { Db } from '../store/open.ts'
import { findUser, findUserByLogin } from '../store/users.ts'
import { param, type Call } from './context.ts'
import { found } from './errors.ts'

/** By login in any case, or by id (docs/api §2.2). */
export async function namedUser(db: Db, c: Call): Promise<User> {
  const name = param(c, 'user')
  return found((await findUserByLogin(db, name)) ?? (/^\d{1,15}$/.test(name) ? await findUser(db, Number(name)) : null))
}
