/**
 * The last signed-in user, as returned by the server. Flightdeck's own server names the page's user
 * in the HTML (server/src/http/web-part.ts): if it is the cached one, cached data is shown before
 * `GET /api/user` responds.
 */
import type { User } from '@flightdeck/api'

import { writeStored, readStored } from '../browser/storage.ts'
import { serverOrigin } from './client.ts'
import { startAs, personOf } from './person.ts'
import { userQuery } from './queries.ts'
import { isStatus, queryClient } from './query-client.ts'

const name = 'kept-user'

/** Not for a page from the back/forward cache: it can be from a different session. */
const personOfDocument = (): string | undefined => {
  // Only sent on secure connections, and not exposed by every browser.
  const [document] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[]
  if (document?.type === 'back_forward') return undefined
  return document?.serverTiming?.find((entry) => entry.name === 'person')?.description
}

interface Cached {
  server: string
  user: User
}

export const discardCachedUser = (): void => {
  writeStored('local', name, undefined)
}

/** Caches the response of `GET /api/user`, or clears it if the user has signed out. */
export const cacheUser = (user: User | undefined, error: unknown): void => {
  if (isStatus(error, 401)) discardCachedUser()
  else if (user) writeStored('local', name, JSON.stringify({ server: serverOrigin(), user } satisfies Cached))
}

/** Returns whether the page starts with the cached user. The user is fetched in any case. */
export const startAsCachedUser = (): boolean => {
  const person = personOfDocument()
  if (person === undefined) return false
  try {
    const { server, user } = JSON.parse(readStored('local', name) ?? '{}') as Partial<Cached>
    if (!user || server !== serverOrigin() || personOf(user) !== person) return false
    startAs(person)
    const { queryKey } = userQuery()
    queryClient.setQueryData(queryKey, { ...user, syncing: false })
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
    return true
  } catch {
    // The stored data is invalid.
    return false
  }
}
