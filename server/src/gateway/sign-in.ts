/** The token of a person who cannot use the sign-in of the other server through us. */
import type { SecretsBox } from '../lib/secrets-box.ts'
import type { Upstream } from './upstream.ts'

/**
 * A year. Sign-out removes it immediately, and the other server may refuse the token at any time.
 */
export const tokenSeconds = 365 * 24 * 3600

/** The token in the cookie's value; `null` if the cookie is not ours. */
export function openToken(box: SecretsBox, value: string | undefined): string | null {
  if (!value) return null
  try {
    return box.decrypt(value)
  } catch {
    return null
  }
}

/** Whether the other server accepts the token. It is sent to that server only. */
export async function isToken(upstream: Upstream, token: string): Promise<boolean> {
  // A token that is not valid in a header cannot be valid.
  if (!/^[\x21-\x7e]{1,1000}$/.test(token)) return false
  const response = await upstream.get('/api/user', { authorization: `Bearer ${token}` })
  response.resume()
  return response.statusCode === 200
}
