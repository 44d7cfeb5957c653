/** What the other server is, and whether people can sign in at it through us (issue 14, points 2 and 6). */
import { Refusal } from '../refusal.ts'
import { textOf, type Upstream } from './upstream.ts'

export interface ServerState {
  /** `ok`, or what is wrong in words. */
  state: string
  /** `''` while it is not known. */
  version: string
}

const mostBytes = 64 * 1024

export async function probe(upstream: Upstream): Promise<ServerState> {
  try {
    const text = await textOf(await upstream.get('/version'), mostBytes)
    const version = versionIn(text)
    // What Go's server and nginx say to who speaks http to them there.
    if (version === null && /HTTPS (server|port)/.test(text ?? '')) {
      return { state: `The Drone server ${upstream.origin} does not speak http: try https://`, version: '' }
    }
    if (version === null) return { state: `${upstream.origin} is not a Drone server: it has no /version`, version: '' }
    const [major = 0] = version.split('.').map(Number)
    // Ours is 0.x and speaks the same.
    const isOld = major === 1
    return { state: isOld ? `${upstream.origin} is Drone ${version}; Flightdeck needs Drone 2` : 'ok', version }
  } catch (error) {
    return { state: error instanceof Refusal ? error.message : `${upstream.origin} cannot be asked`, version: '' }
  }
}

function versionIn(text: string | null): string | null {
  try {
    const { version } = JSON.parse(text ?? '') as { version?: unknown }
    return typeof version === 'string' && /^\d+\.\d+/.test(version) ? version : null
  } catch {
    return null
  }
}

/**
 * Whether a browser that signs in comes back to us: the server has a form of its own, or names our address to the source-control
 * system (`redirect_uri`). Otherwise it would end up at the server itself, signed in there and not here.
 */
export async function signsInHere(upstream: Upstream, publicUrl: string): Promise<boolean> {
  const answer = await upstream.get('/login')
  answer.resume()
  const { location } = answer.headers
  if (location === undefined || !URL.canParse(location, upstream.origin)) return true
  const target = new URL(location, upstream.origin)
  if (target.origin === upstream.origin || target.origin === publicUrl) return true
  const back = target.searchParams.get('redirect_uri') ?? ''
  return URL.canParse(back) && new URL(back).origin === publicUrl
}
