/** API tokens: shown again on the account page, so kept encrypted; found by their hash. */
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

/** A new one; the one before is worth nothing from now on. */
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
