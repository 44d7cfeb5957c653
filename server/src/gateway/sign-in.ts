/** The token of a person who cannot sign in at the other server through us. */
import type { SecretsBox } from '../lib/secrets-box.ts'
import type { Upstream } from './upstream.ts'

/** A year; whoever signs out loses it at once, and the other server may refuse the token at any time. */
export const tokenSeconds = 365 * 24 * 3600

/** The token in the cookie's value; `null` where it is none of ours. */
export function openToken(box: SecretsBox, value: string | undefined): string | null {
  if (!value) return null
  try {
    return box.decrypt(value)
  } catch {
    return null
  }
}

/** Does the other server know whose token it is? Sent to it alone. */
export async function isToken(upstream: Upstream, token: string): Promise<boolean> {
  // What could not stand in a header is nobody's token.
  if (!/^[\x21-\x7e]{1,1000}$/.test(token)) return false
  const answer = await upstream.get('/api/user', { authorization: `Bearer ${token}` })
  answer.resume()
  return answer.statusCode === 200
}
