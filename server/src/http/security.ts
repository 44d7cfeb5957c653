/** Security headers of every response, and the origin check for changes. */
import { createHash } from 'node:crypto'
import { queryOf } from './bodies.ts'
import type { Call } from './context.ts'
import { isLoopback } from './hosts.ts'
import { Refusal } from '../lib/refusal.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The texts of the page's inline elements of a kind; a script that names a file has none. */
const inlined = (html: string, name: 'script' | 'style'): string[] =>
  html
    .split(`<${name}`)
    .slice(1)
    .map((tag) => ({ start: tag.indexOf('>'), end: tag.indexOf(`</${name}>`), tag }))
    .filter(({ start, end, tag }) => start >= 0 && end > start && !/\bsrc=/.test(tag.slice(0, start)))
    .map(({ start, end, tag }) => tag.slice(start + 1, end))

/**
 * Inline are what comes before the first paint: the script that chooses the theme, and the style of
 * the frame; both by their hashes. Avatars may come from anywhere. Rows and nodes are placed by
 * scripts through the CSSOM, which needs no inline style.
 */
export const contentSecurityPolicy = (html: string): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlined(html, 'script').map(hashOf)].join(' '),
    ["style-src 'self'", ...inlined(html, 'style').map(hashOf)].join(' '),
    "img-src 'self' data: https: http:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Where nothing inline may run. */
export const policyOfNoPage = contentSecurityPolicy('')

export function setSecurityHeaders(headers: Headers, policy: string): void {
  headers.set('Content-Security-Policy', policy)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Referrer-Policy', 'same-origin')
}

/**
 * Not of calls and programs, nor of what a page is made of (docs/api §0 "security headers"). Only
 * old browsers know it.
 */
export function setPageHeaders(headers: Headers, path: string): void {
  if (!/^\/(api|rpc|healthz|readyz|metrics)(\/|$)/.test(path)) headers.set('X-XSS-Protection', '1; mode=block')
}

/**
 * Headers of a page's assets, a dozen at each first visit: most of the headers above apply to
 * documents only, and weigh more than a small script. A worker is a script, too, and has the policy
 * of its own file.
 */
export function setPartHeaders(headers: Headers): void {
  headers.set('Content-Security-Policy', "default-src 'self'")
  headers.set('X-Content-Type-Options', 'nosniff')
}

const hstsSeconds = 365 * 24 * 3600

/**
 * Over https only; a name of this machine alone would take http from everything else that runs on
 * it.
 */
export function setTransportHeader(headers: Headers, publicUrl: string): void {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'https:' || isLoopback(hostname)) return
  headers.set('Strict-Transport-Security', `max-age=${hstsSeconds}`)
}

/** docs/api §0 "cache headers". */
export function setNoCacheHeaders(headers: Headers): void {
  headers.set('Cache-Control', 'no-cache, no-store, must-revalidate, private, max-age=0')
  headers.set('Pragma', 'no-cache')
  headers.set('Expires', 'Thu, 01 Jan 1970 00:00:00 UTC')
  headers.set('X-Accel-Expires', '0')
}

/**
 * Whether the address, as it was sent, has a part that a URL parser would resolve (`..`, `%2e%2e`),
 * or a NUL, at which the database driver truncates a name. A proxy in front of us that filters by
 * address may have seen a different address than our routes.
 */
export function isRewritten(c: Call): boolean {
  const sent = c.env?.incoming?.url
  if (sent === undefined) return false
  const path = sent.replace(/[?#].*/s, '')
  return /(^|\/)(\.|%2e){1,2}(\/|$)|%00/i.test(path)
}

const changes = (method: string) => !/^(GET|HEAD|OPTIONS)$/.test(method)

export function isOwnOrigin(origin: string, publicUrl: string, host: string | undefined): boolean {
  if (origin === publicUrl) return true
  if (!URL.canParse(origin) || host === undefined) return false
  const { protocol, host: name } = new URL(origin)
  // Anyone on the network can forge a page of the same name over http.
  if (protocol === 'http:' && publicUrl.startsWith('https:') && name === new URL(publicUrl).host) return false
  return name === host.toLowerCase()
}

/**
 * Browsers add these automatically, even to calls that a page of another origin makes. Our API's
 * tokens are never sent like this.
 */
const ambientScheme = /^(basic|digest|negotiate|ntlm)\b/i

/**
 * Whether the credential that decides about this call comes with the call itself, which exempts it
 * from the origin check. The order is that of `explicitToken`: a header counts before the
 * parameter, and an empty one is ignored.
 */
export function bringsCredential(c: Call): boolean {
  const header = c.req.header('authorization')
  if (header) return !ambientScheme.test(header)
  return Boolean(queryOf(c).get('access_token'))
}

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined

/**
 * A browser sends cookies, and this server its own token, also for a page elsewhere. So a call that
 * changes something must come from our own pages, from those of `others`, or from programs that are
 * no browser: they send neither header, and name no page elsewhere as their referrer, as old
 * browsers do that send no `Origin` with a form. `isFree`: the call's own credential is used, and
 * nothing else.
 */
export function checkOrigin(
  c: Call,
  publicUrl: string,
  others: readonly string[],
  isFree: (c: Call) => boolean = bringsCredential,
): void {
  if (!changes(c.req.method)) return
  if (c.req.path.startsWith('/api/') && isFree(c)) return
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin') ?? (site === undefined ? originOf(c.req.header('referer')) : undefined)
  const allowed =
    origin === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : others.includes(origin) || isOwnOrigin(origin, publicUrl, c.req.header('host'))
  if (!allowed) throw new Refusal(403, 'Cross-origin request refused')
}
