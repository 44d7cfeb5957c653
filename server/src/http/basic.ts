/**
 * HTTP's "Basic" authentication (RFC 7617), for programs that know no other: git and feed readers.
 */
import type { Call } from './context.ts'

/** What a 401 asks such a program for. */
export const basicChallenge = 'Basic realm="Flightdeck", charset="UTF-8"'

/** User name and password of the call; empty where there are none. */
export function basicOf(c: Call): { login: string; password: string } {
  const encoded = /^basic ([a-z0-9+/]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? { login: '', password: '' } : { login: text.slice(0, colon), password: text.slice(colon + 1) }
}
