/** Names and attributes of our cookies. */
import { getCookie } from 'hono/cookie'
import type { Call, HttpDependencies } from './context.ts'

/** The cookie's name for this call's protocol. */
export const cookieName = (c: Call, name: string): string => (c.get('cookiePrefix') ?? '') + name

export const readCookie = (c: Call, name: string): string | undefined => getCookie(c, cookieName(c, name))

/** Secure where the browser speaks https: with this server, or with the proxy in front of it. */
export function cookieOptions(c: Call, { publicUrl, trustProxy }: Pick<HttpDependencies, 'publicUrl' | 'trustProxy'>) {
  const proto = trustProxy ? c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim() : undefined
  const secure = publicUrl.startsWith('https:') || proto === 'https'
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const
}
