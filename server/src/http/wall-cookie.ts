/**
 * The cookie of a screen that was opened by a link to the wall. It is not the link: nothing else
 * accepts it.
 */
import { setCookie } from 'hono/cookie'
import { isSameSecret } from '../lib/same-secret.ts'
import { linkOfId } from '../people/wall-links.ts'
import type { GoodWallLink } from '../store/wall-links.ts'
import type { Call, HttpDependencies } from './context.ts'
import { cookieName, cookieOptions, readCookie } from './cookies.ts'

const wallCookie = '_wall_'
/** Browsers keep no cookie for longer. */
const maxSeconds = 400 * 24 * 3600

/**
 * Derived from the link with this server's key: who reads a cookie does not have the link, and a
 * revoked link has none.
 */
const valueOf = ({ box }: Pick<HttpDependencies, 'box'>, { id, hash }: GoodWallLink): string =>
  `${id}.${box.derive(`wall ${id} ${hash}`)}`

export function setWallCookie(dependencies: Required<HttpDependencies>, c: Call, link: GoodWallLink): void {
  const name = cookieName(c, wallCookie)
  setCookie(c, name, valueOf(dependencies, link), {
    ...cookieOptions(c, dependencies),
    sameSite: 'Strict',
    // A name with the prefix is for all paths or for none.
    path: name === wallCookie ? '/api/wall' : '/',
    maxAge: link.expires === 0 ? maxSeconds : Math.min(maxSeconds, link.expires - dependencies.now()),
  })
}

/**
 * The link that opened this screen, with the repositories that its maker can read now; `null` if it
 * is over.
 */
export async function wallLinkOf(dependencies: Required<HttpDependencies>, c: Call): Promise<GoodWallLink | null> {
  const value = readCookie(c, wallCookie) ?? ''
  const id = /^(\d{1,15})\./.exec(value)?.[1]
  if (id === undefined) return null
  const link = await linkOfId(dependencies.store.db, Number(id), dependencies.now())
  return link && isSameSecret(value, valueOf(dependencies, link)) ? link : null
}
