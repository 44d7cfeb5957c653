/**
 * Who was here last, as the server told it. Our own server says with the page whose it is (server/src/http/web-part.ts): if that is
 * the person who is kept, the page begins as this person's, and what was kept for him is shown before `GET /api/user` is answered.
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
  const [document] = performance.getEntriesByType('navigation')
  if (!(document instanceof PerformanceNavigationTiming) || document.type === 'back_forward') return undefined
  // Told on secure connections only, and not by every browser.
  return (document.serverTiming as PerformanceServerTiming[] | undefined)?.find((said) => said.name === 'person')
    ?.description
}

const isKept = (value: unknown): value is { server: string; user: User } =>
  typeof value === 'object' &&
  value !== null &&
  'server' in value &&
  value.server === serverOrigin() &&
  'user' in value &&
  typeof value.user === 'object' &&
  value.user !== null &&
  'id' in value.user &&
  'login' in value.user

const keptUser = (): User | undefined => {
  try {
    const value: unknown = JSON.parse(readKept('local', name) ?? 'null')
    return isKept(value) ? value.user : undefined
  } catch {
    return undefined
  }
}

export const forgetUser = (): void => {
  keep('local', name, undefined)
}

/** Keeps each answer; whoever signs out, or is told that he is signed out, is forgotten. */
export const watchUser = (): void => {
  queryClient.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated' || notice.query.queryKey[0] !== 'getUser') return
    const { type } = notice.action
    if (type === 'error' && isStatus(notice.query.state.error, 401)) forgetUser()
    if (type !== 'success' || notice.action.manual) return
    const user = queryClient.getQueryData(userQuery().queryKey)
    if (user) keep('local', name, JSON.stringify({ server: serverOrigin(), user }))
  })
}

/** Answers whether the page begins as a person's. The server is asked all the same. */
export const beginAsKept = (): boolean => {
  const person = personOfDocument()
  const user = person === undefined ? undefined : keptUser()
  if (!user || personOf(user) !== person) return false
  beginAs(person)
  const { queryKey } = userQuery()
  queryClient.setQueryData(queryKey, { ...user, syncing: false })
  void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
  return true
}
