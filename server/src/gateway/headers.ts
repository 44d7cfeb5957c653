/** What of a request and of an answer goes on to the other side (RFC 9110 §7.6.1, RFC 6265). */
import type { IncomingHttpHeaders } from 'node:http'

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
  address: string
  /** The scheme that the client speaks: with us, or with the proxy in front of us. */
  proto: string
}

/** `token`: of the person, in place of whatever the browser sent. */
export function requestHeaders(
  headers: Headers,
  { publicUrl, origin }: Sides,
  { address, proto, token, ownCookie }: Client & { token: string | null; ownCookie: string },
): Record<string, string> {
  const dropped = ofConnection(headers.get('connection'))
  const passed: Record<string, string> = {}
  for (const [name, value] of headers) if (!dropped.has(name)) passed[name] = value
  passed['x-forwarded-for'] = [headers.get('x-forwarded-for'), address].filter(Boolean).join(', ')
  passed['x-forwarded-proto'] = proto
  passed['x-forwarded-host'] = headers.get('host') ?? new URL(publicUrl).host
  passed['host'] = new URL(origin).host
  // To the other server our pages are its own.
  if (passed['origin'] !== undefined) passed['origin'] = origin
  if (passed['referer'] !== undefined) passed['referer'] = toUpstream(passed['referer'], origin)
  const cookies = withoutCookie(passed['cookie'] ?? '', ownCookie)
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

const withoutCookie = (cookies: string, name: string): string =>
  cookies
    .split(/; */)
    .filter((cookie) => cookie !== '' && !cookie.startsWith(`${name}=`))
    .join('; ')

/** What the other server says of its own name and port, for a browser to keep. */
const ofOrigin = new Set(['alt-svc', 'strict-transport-security', 'nel', 'report-to'])

export function answerHeaders(given: IncomingHttpHeaders, sides: Sides, secure: boolean): Headers {
  const dropped = ofConnection(given.connection)
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || dropped.has(name) || ofOrigin.has(name) || name === 'set-cookie') continue
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one)
  }
  for (const cookie of given['set-cookie'] ?? []) headers.append('Set-Cookie', ownCookieOf(cookie, secure))
  const { location } = given
  if (location !== undefined) headers.set('Location', locationOf(location, sides))
  return headers
}

/** A browser would refuse a cookie for another name, and over http one for https only. */
const ownCookieOf = (cookie: string, secure: boolean): string =>
  cookie
    .split(/; */)
    .filter((part, index) => index === 0 || !/^domain=/i.test(part))
    .filter((part, index) => index === 0 || secure || !/^secure$/i.test(part))
    .join('; ')

/** Its own address is ours; those of others stay. */
function locationOf(location: string, { publicUrl, origin }: Sides): string {
  if (!URL.canParse(location)) return location
  const url = new URL(location)
  return url.origin === origin ? publicUrl + url.pathname + url.search + url.hash : location
}
