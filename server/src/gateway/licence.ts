/**
 * The licence flags for our page (docs/api §2.10): the two flags that specification §2 reads from
 * the page's environment. Drone keeps them to its page, so they are taken from what `/varz` says of
 * seats, repositories and days.
 */
import { textOf, type Upstream } from './upstream.ts'

interface Licence {
  expire_at?: unknown
  seats?: unknown
  seats_used?: unknown
  repos?: unknown
  repos_used?: unknown
}

const freshMs = 60_000
const maxBytes = 64 * 1024

/** No limit is 0, and no end is the year 1. */
export function flagsOf(licence: Licence, now: number): string {
  const end = typeof licence.expire_at === 'string' ? Date.parse(licence.expire_at) : NaN
  if (end > 0 && end < now) return 'window.LICENSE_EXPIRED=true'
  const over = (used: unknown, limit: unknown): boolean =>
    typeof used === 'number' && typeof limit === 'number' && limit > 0 && used > limit
  const isOver = over(licence.seats_used, licence.seats) || over(licence.repos_used, licence.repos)
  return isOver ? 'window.LICENSE_LIMIT_EXCEEDED=true' : ''
}

/**
 * Returns what is known; refreshed in the background, at most once a minute. A server without an
 * answer changes nothing.
 */
export function createLicence(upstream: Upstream): () => string {
  let flags = ''
  let requestedAt = -Infinity
  async function refresh(): Promise<void> {
    requestedAt = performance.now()
    const response = await upstream.get('/varz')
    const { license } = JSON.parse((await textOf(response, maxBytes)) ?? '') as { license?: Licence }
    if (license) flags = flagsOf(license, Date.now())
  }
  const refreshWhenStale = () => {
    if (performance.now() - requestedAt > freshMs) refresh().catch(() => {})
    return flags
  }
  refreshWhenStale()
  return refreshWhenStale
}
