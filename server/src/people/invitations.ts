/** Invitations and new passwords. */
import type { Invitation, User } from '@flightdeck/api'
import { deleteUserAccessTokens } from '../store/access-tokens.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { createInvitation, deleteInvitations, deleteUserSessions } from '../store/sessions.ts'
import { findPassword, findUser, setPassword, setToken, type StoredToken } from '../store/users.ts'
import { hashOfToken, newToken } from './sessions.ts'
import { Refusal } from '../lib/refusal.ts'

const validSeconds = 24 * 3600

/**
 * Creates a link that sets the password once, and ends earlier links. The database stores only its
 * hash.
 */
export async function invite(
  db: Db,
  user: User,
  { now, publicUrl }: { now: () => number; publicUrl: string },
): Promise<Invitation> {
  const value = newToken()
  const expires = now() + validSeconds
  await createInvitation(db, { hash: hashOfToken(value), user_id: user.id, expires })
  // In the fragment, so that the value reaches no server, no log and no Referer header.
  return { url: `${publicUrl}/login/invite#${value}`, expires }
}

const minPasswordLength = 8
const maxPasswordLength = 1000

export function checkPassword(password: string): void {
  if (password.length < minPasswordLength)
    throw new Refusal(400, `A password needs at least ${minPasswordLength} characters`)
  if (password.length > maxPasswordLength)
    throw new Refusal(400, `A password can have at most ${maxPasswordLength} characters`)
}

/**
 * Whether the account is open and this is its password's hash. Call it within the transaction that
 * depends on it.
 */
export const holdsStill = async (tx: Db, userId: number, hash: string): Promise<boolean> =>
  (await findUser(tx, userId))?.active === true && (await findPassword(tx, userId)) === hash

/**
 * Sets a password and ends the access that the old one gave: sessions except `keep`, links, and all
 * tokens if `token` replaces them. `hash`: the new password's, from `hashPassword`. Returns false
 * and changes nothing if the password is no longer `old`.
 */
export async function replacePassword(
  db: Db,
  user: User,
  hash: string,
  { old, keepSession, token }: { old?: string; keepSession?: number | undefined; token?: StoredToken | undefined } = {},
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (old !== undefined && !(await holdsStill(tx, user.id, old))) return false
    await setPassword(tx, user.id, hash)
    await deleteInvitations(tx, user.id)
    await deleteUserSessions(tx, user.id, keepSession)
    if (token) {
      await setToken(tx, user.id, token)
      await deleteUserAccessTokens(tx, user.id)
    }
    return true
  })
}
