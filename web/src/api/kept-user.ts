/**
 * The last signed-in user, as returned by the server. Flightdeck's own server names the page's user in the HTML
 * (server/src/http/web-part.ts): if it is the cached one, cached data is shown before `GET /api/user` responds.
 */
import type { User } from '@flightdeck/api'

import { keep, readKept } from '../browser/storage.ts'
import { serverOrigin } from './client.ts'
import { beginAs, personOf } from './person.ts'
import { userQuery } from './queries.ts'
import { isStatus, queryClient } from './query-client.ts'

const name = 'kept-user'

/** Not of a page that Back brings out of the browser's memory: it may have been made for another session. */
const personOfDocument = (): string | undefined => {
  // Told on secure connections only, and not by every browser.
  const [document] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[]
  if (document?.type === 'back_forward') return undefined
  return document?.serverTiming?.find((said) => said.name === 'person')?.description
}

interface Kept {
  server: string
  user: User
}

export const forgetUser = (): void => {
  keep('local', name, undefined)
}

/** What `GET /api/user` answered: a person that signs out, or was signed out, is forgotten. */
export const keepUser = (user: User | undefined, error: unknown): void => {
  if (isStatus(error, 401)) forgetUser()
  else if (user) keep('local', name, JSON.stringify({ server: serverOrigin(), user } satisfies Kept))
}

/** Returns whether the page starts with the cached user. The user is fetched in any case. */
export const beginAsKept = (): boolean => {
  const person = personOfDocument()
  if (person === undefined) return false
  try {
    const { server, user } = JSON.parse(readKept('local', name) ?? '{}') as Partial<Kept>
    if (!user || server !== serverOrigin() || personOf(user) !== person) return false
    beginAs(person)
    const { queryKey } = userQuery()
    queryClient.setQueryData(queryKey, { ...user, syncing: false })
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
    return true
  } catch {
    // What is kept is not what was written.
    return false
  }
}
