/** What the other server is, and whether people can sign in at it through us. */
import { STATUS_CODES } from 'node:http'
import { Refusal } from '../lib/refusal.ts'
import { textOf, type Upstream } from './upstream.ts'

export interface ServerState {
  /** `ok`, or what is wrong in words. */
  state: string
  /** `''` while it is not known. */
  version: string
  /**
   * `unreachable`: nothing is known of it yet. `old`: it speaks another API than Drone 2. `other`:
   * it is not a Drone server.
   */
  kind: 'ok' | 'unreachable' | 'old' | 'other'
}

const maxBytes = 64 * 1024

export async function probe(upstream: Upstream): Promise<ServerState> {
  const { origin } = upstream
  const unknown = (state: string, kind: 'unreachable' | 'other' = 'other'): ServerState => ({
    state,
    version: '',
    kind,
  })
  try {
    const response = await upstream.get('/version')
    const elsewhere = redirectionOf(origin, response.headers.location)
    if (elsewhere !== null) {
      response.resume()
      return unknown(elsewhere)
    }
    const text = await textOf(response, maxBytes)
    const reported = versionIn(text)
    if (reported === null && isFailing(response.statusCode)) {
      return unknown(failingWords(origin, response.statusCode), 'unreachable')
    }
    // How Go's server and nginx answer http on an https port.
    if (reported === null && /HTTPS (server|port)/.test(text ?? '')) {
      return unknown(`The Drone server ${origin} does not accept http; try https://`)
    }
    if (reported === null) return unknown(`${origin} is not a Drone server: it has no /version`)
    const { version } = reported
    const old = oldName(reported)
    return old === null
      ? { state: 'ok', version, kind: 'ok' }
      : { state: `${origin} is ${old} ${version}; Flightdeck needs Drone 2`, version, kind: 'old' }
  } catch (error) {
    return unknown(error instanceof Refusal ? error.message : `${origin} cannot be reached`, 'unreachable')
  }
}

/**
 * Whether the response means that the server, or a proxy in front of it, is not ready: Drone is
 * starting, or its proxy does not know it yet. It is not information about the server itself.
 */
const isFailing = (status = 0): boolean => status >= 500 || status === 429

const failingWords = (origin: string, status = 0): string => {
  const reason = STATUS_CODES[status]
  return `The Drone server ${origin} cannot be reached yet: it responds with ${status}${reason ? ` ${reason}` : ''}`
}

/**
 * What is wrong if a call to the API is answered by a proxy that does not reach its server. Drone's
 * own errors are JSON. `null` where the answer is the server's.
 */
export function proxyFailure(origin: string, { status, headers }: Response): string | null {
  const isProxys = (status >= 502 && status <= 504) || (status >= 500 && isPage(headers))
  return isProxys && !headers.get('content-type')?.includes('json') ? failingWords(origin, status) : null
}

/** Drone's API answers no call with a page. */
export const isPage = (headers: Headers): boolean => headers.get('content-type')?.startsWith('text/html') === true

interface Version {
  version: string
  source: string
}

/** The name of a server from before Drone 2. */
function oldName({ version, source }: Version): string | null {
  // Based on Drone 0.8, whatever its present version.
  if (/woodpecker/i.test(source)) return 'Woodpecker'
  const [major = 0] = version.split('.').map(Number)
  // Flightdeck is 0.x, speaks as Drone 2 does, and names no source; Drone 0.8 does.
  return major === 1 || (major === 0 && source !== '') ? 'Drone' : null
}

function versionIn(text: string | null): Version | null {
  try {
    const { version, source } = JSON.parse(text ?? '') as { version?: unknown; source?: unknown }
    if (typeof version !== 'string' || !/^\d+\.\d+/.test(version)) return null
    return { version, source: typeof source === 'string' ? source : '' }
  } catch {
    return null
  }
}

/**
 * What is wrong where the API is answered with the way to another origin, which a page's own calls
 * cannot go; Drone never answers it so (docs/api §0). `null` where it is not.
 */
export function redirectionOf(
  origin: string,
  location: string | null | undefined,
  publicUrl: string = origin,
): string | null {
  const target = location && URL.canParse(location, origin) ? new URL(location, origin).origin : origin
  if (target === origin || target === publicUrl) return null
  if (target === origin.replace(/^http:/, 'https:')) {
    return `The Drone server ${origin} redirects to https; use --server ${target}`
  }
  return `${origin} redirects every request to ${target}: either the server or a proxy in front of it requires its own sign-in`
}

/**
 * Throws if the server is known to have a different API. It can be replaced at any time, so it is
 * checked again.
 */
export function createVersionCheck(upstream: Upstream, now: () => number = () => performance.now()) {
  let old: string | null = null
  let requestedAt = -Infinity
  async function checkVersion(): Promise<void> {
    requestedAt = now()
    const { state, kind } = await probe(upstream)
    old = kind === 'old' ? state : null
  }
  void checkVersion()
  return async (): Promise<void> => {
    // Only calls that would be refused wait for it.
    const looked = now() - requestedAt > (old === null ? 60_000 : 1_000) ? checkVersion() : undefined
    if (old !== null) await looked
    if (old !== null) throw new Refusal(502, old)
  }
}

export type RedirectTarget = 'here' | 'elsewhere' | 'unsaid'

/**
 * Where a browser returns that is sent to `location` to sign in: to the gateway, if the server has
 * its own form or sends our address to the source-control system (`redirect_uri`), or to the server
 * itself. Drone sends no address to GitHub and Bitbucket Server: they return to the registered one.
 */
export function redirectTargetOf(
  location: string | null | undefined,
  origin: string,
  publicUrl: string,
): RedirectTarget {
  if (!location || !URL.canParse(location, publicUrl)) return 'here'
  const target = new URL(location, publicUrl)
  if (target.origin === origin || target.origin === publicUrl) return 'here'
  const back = target.searchParams.get('redirect_uri')
  if (back === null) return 'unsaid'
  return URL.canParse(back) && new URL(back).origin === publicUrl ? 'here' : 'elsewhere'
}

export async function findSignInTarget(upstream: Upstream, publicUrl: string): Promise<RedirectTarget> {
  const response = await upstream.get('/login')
  response.resume()
  return redirectTargetOf(response.headers.location, upstream.origin, publicUrl)
}
