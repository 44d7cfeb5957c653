/**
 * API tokens. They are stored encrypted, because the account page shows them again, and found by
 * their hash.
 */
import type { User } from '@flightdeck/api'
import type { SecretsBox } from '../lib/secrets-box.ts'
import { deleteUserAccessTokens } from '../store/access-tokens.ts'
import type { Db } from '../store/open.ts'
import { findToken, setToken, type StoredToken } from '../store/users.ts'
import { hashOfToken, newToken } from './sessions.ts'

export const sealToken = (box: SecretsBox, token: string): StoredToken => ({
  hash: hashOfToken(token),
  encrypted: box.encrypt(token),
})

/** `null` if the user has none yet. */
export async function tokenOf(db: Db, box: SecretsBox, user: User): Promise<string | null> {
  const sealed = await findToken(db, user.id)
  return sealed === null ? null : box.decrypt(sealed)
}

/** Creates a token that replaces the previous one. */
export async function issueToken(db: Db, box: SecretsBox, user: User): Promise<string> {
  const token = newToken()
  await setToken(db, user.id, sealToken(box, token))
  return token
}

/** Ends the personal token and all named tokens. */
export async function revokeTokens(db: Db, userId: number): Promise<void> {
  await setToken(db, userId, null)
  await deleteUserAccessTokens(db, userId)
}
