/** Which headers of a request and of an answer are forwarded (RFC 9110 §7.6.1, RFC 6265). */
import type { IncomingHttpHeaders } from 'node:http'
import { cookiePrefixOf, type CookiePrefix } from '../lib/cookie-prefix.ts'

/** Of one connection only. `Expect` was answered by us. */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * What a client claims about itself and its route. The other server may trust it, so it is
 * forwarded only if a proxy in front of us is trusted. `X-Forwarded-For` is a list that each hop
 * adds to; the three that we set ourselves are set below.
 */
const ofClient =
  /^(forwarded|x-forwarded(-(?!for$).*)?|forwarded-for|x-real-ip|x-original-(forwarded-for|host)|x-(client|cluster-client|remote|originating)-(ip|addr)|x-host|(true-|cf-connecting-|fastly-)?client-ip|cf-connecting-ip(v6)?)$/

/**
 * Something between us and the other server could take them for another method or address than the
 * one that was judged here.
 */
const rewrites = /^(x-http-method(-override)?|x-method-override|x-original-url|x-rewrite-url)$/

/** Those that `Connection` names belong to the connection, too. */
const ofConnection = (connection: string | null | undefined): Set<string> =>
  new Set([...hopByHop, ...(connection ?? '').split(',').map((name) => name.trim().toLowerCase())])

export interface Sides {
  /** Where browsers reach us. */
  publicUrl: string
  /** Of the other server. */
  origin: string
}

export interface Client {
  /** Of the socket: the client's, or that of the proxy in front of us. */
  address: string
  /** The scheme that the client speaks: with us, or with the proxy in front of us. */
  proto: string
  trustProxy: boolean
}

/**
 * The credentials of a call. Only one is forwarded, so that the other server cannot choose another
 * than we did.
 */
export interface Credential {
  /** Headers that we set, whatever the browser sent. */
  token: string | null
  /** Whether the session cookie of the other server is forwarded. */
  session: boolean
}

/** The cookie of the other server's session (docs/api §3.2). */
export const serverSession = '_session_'
/** The cookie with the token of a person who signed in with one; it is never forwarded. */
export const tokenCookie = '_flightdeck_'

export function requestHeaders(
  headers: Headers,
  { publicUrl, origin }: Sides,
  { address, proto, trustProxy, token, session }: Client & Credential,
): Record<string, string> {
  const dropped = ofConnection(headers.get('connection'))
  // A call that is judged by this header must not arrive without it.
  dropped.delete('authorization')
  const passed: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (dropped.has(name) || rewrites.test(name) || (!trustProxy && ofClient.test(name))) continue
    passed[name] = value
  }
  passed['x-forwarded-for'] = [headers.get('x-forwarded-for'), address].filter(Boolean).join(', ')
  passed['x-forwarded-proto'] = proto
  passed['x-forwarded-host'] = headers.get('host') ?? new URL(publicUrl).host
  passed['host'] = new URL(origin).host
  // To the other server our pages are its own.
  if (passed['origin'] !== undefined) passed['origin'] = origin
  if (passed['referer'] !== undefined) passed['referer'] = toUpstream(passed['referer'], origin)
  const cookies = cookiesFor(passed['cookie'] ?? '', cookiePrefixOf(publicUrl), session)
  if (cookies === '') delete passed['cookie']
  else passed['cookie'] = cookies
  if (token !== null) passed['authorization'] = `Bearer ${token}`
  return passed
}

function toUpstream(address: string, origin: string): string {
  if (!URL.canParse(address)) return origin
  const { pathname, search } = new URL(address)
  return origin + pathname + search
}

/**
 * As the other server knows them. One that has the name of its session, but not our prefix, may be
 * set by a neighbour.
 */
export function cookiesFor(cookies: string, prefix: CookiePrefix, session: boolean): string {
  const passed: string[] = []
  for (const cookie of cookies.split(/; */)) {
    const [name = ''] = cookie.split('=', 1)
    if (name.trim() === prefix + serverSession) {
      if (session) passed.push(cookie.trim().slice(prefix.length))
    } else if (cookie !== '' && !ownNames.has(name.trim())) passed.push(cookie)
  }
  return passed.join('; ')
}

/** With and without the prefix. */
const ownNames = new Set(['', '__Host-'].flatMap((prefix) => [prefix + serverSession, prefix + tokenCookie]))

/** Upstream headers with its own name and port that a browser would remember. */
const ofOrigin = new Set(['alt-svc', 'strict-transport-security', 'nel', 'report-to'])

export function answerHeaders(given: IncomingHttpHeaders, sides: Sides, secure: boolean): Headers {
  const dropped = ofConnection(given.connection)
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || dropped.has(name) || ofOrigin.has(name) || name === 'set-cookie') continue
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one)
  }
  for (const cookie of given['set-cookie'] ?? [])
    headers.append('Set-Cookie', ownCookieOf(cookie, secure, cookiePrefixOf(sides.publicUrl)))
  const { location } = given
  if (location !== undefined) headers.set('Location', locationOf(location, sides))
  return headers
}

/** A browser would refuse a cookie for another name, and over http one for https only. */
function ownCookieOf(cookie: string, secure: boolean, prefix: CookiePrefix): string {
  const [pair = '', ...attributes] = cookie.split(/; */)
  const isSession = pair.startsWith(`${serverSession}=`)
  const forwarded = attributes.filter((one) => !/^domain=/i.test(one) && (secure || !/^secure$/i.test(one)))
  if (!isSession || prefix === '') return [pair, ...forwarded].join('; ')
  // The prefix holds for nothing less.
  const others = forwarded.filter((one) => !/^(path=|secure$)/i.test(one))
  return [prefix + pair, 'Path=/', 'Secure', ...others].join('; ')
}

/** Its own address is ours; those of others stay. */
function locationOf(location: string, { publicUrl, origin }: Sides): string {
  if (!URL.canParse(location)) return location
  const url = new URL(location)
  return url.origin === origin ? publicUrl + url.pathname + url.search + url.hash : location
}
