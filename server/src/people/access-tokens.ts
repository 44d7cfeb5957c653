/**
 * Creates, checks and revokes named tokens. The value is shown once; the database stores its hash.
 */
import type { AccessToken, CreatedAccessToken, User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import { createAccessToken, findAccessToken, listAccessTokens, touchAccessToken } from '../store/access-tokens.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { isPassing } from '../store/writes.ts'
import { hashOfToken, newToken, ownerOfToken } from './sessions.ts'

/** Secret scanners recognize a token by its prefix. */
const prefix = 'fdt_'
const maxNameLength = 100
const maxTokens = 100
/** How often the last use is updated. */
const touchAfterSeconds = 60

interface AccessTokenInput {
  name: string
  /** Unix seconds; 0: never. */
  expires: number
}

function checkInput({ name, expires }: AccessTokenInput, now: number): void {
  if (name === '') throw new Refusal(400, 'A name is required')
  if (name.length > maxNameLength || /\p{Cc}/u.test(name))
    throw new Refusal(400, `The name can have at most ${maxNameLength} characters, on one line`)
  if (expires !== 0 && expires <= now) throw new Refusal(400, 'The expiry must be in the future')
}

/** Creates a token and returns it with its value. Refuses a name that the user already uses. */
export async function createNamedToken(
  db: Db,
  user: User,
  given: AccessTokenInput,
  now: number,
): Promise<CreatedAccessToken> {
  const name = given.name.trim()
  const { expires } = given
  checkInput({ name, expires }, now)
  const token = prefix + newToken()
  return inTransaction(db, async (tx) => {
    const tokens = await listAccessTokens(tx, user.id)
    if (tokens.length >= maxTokens) throw new Refusal(400, `You have ${maxTokens} tokens: revoke one first`)
    if (tokens.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw new Refusal(409, `You already have a token named ${name}`)
    const created = await createAccessToken(tx, {
      userId: user.id,
      hash: hashOfToken(token),
      name,
      created: now,
      expires,
    })
    return { ...created, token }
  })
}

/**
 * The owner and id of a named token; records its use. `null` if it is unknown, has expired, or its
 * owner is disabled.
 */
export async function ownerOfNamedToken(
  db: Db,
  value: string,
  now: number,
): Promise<{ user: User; token: AccessToken } | null> {
  if (!value.startsWith(prefix)) return null
  const found = await findAccessToken(db, hashOfToken(value), now)
  if (!found?.user.active) return null
  if (now - found.token.last_used > touchAfterSeconds)
    // A call that only reads must work on a full disk.
    await touchAccessToken(db, found.token.id, now).catch((error: unknown) => {
      if (!isPassing(error)) throw error
    })
  return found
}

/**
 * The owner of a named or personal token; `namedToken` is the id of the former. `user` is `null` as
 * in `ownerOfNamedToken`.
 */
export async function ownerOfAnyToken(
  db: Db,
  value: string,
  now: number,
): Promise<{ user: User | null; namedToken?: number }> {
  const named = await ownerOfNamedToken(db, value, now)
  return named ? { user: named.user, namedToken: named.token.id } : { user: await ownerOfToken(db, value) }
}
