/**
 * The top of the list of repositories as it was at the last visit, kept on the device for one server and one user. A slow
 * network has something to show at once; it counts as a placeholder until the server has answered (issue 5).
 */
import type { Repo, User } from '@flightdeck/api'

import { sortRepos } from '../lib/repo-list.ts'
import { keep as store, readKept } from '../browser/storage.ts'
import { serverOrigin } from './client.ts'
import { reposQuery, userQuery } from './queries.ts'
import { isStatus, queryClient } from './query-client.ts'

const name = 'kept-repos'
/** Specification §9: the list shows 50 at first. More would be slow to read before the first paint. */
const most = 50

interface Kept {
  server: string
  user: number
  login: string
  total: number
  repos: Repo[]
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'repos' in value && Array.isArray(value.repos)

const read = (): Kept | undefined => {
  try {
    const value: unknown = JSON.parse(readKept('local', name) ?? 'null')
    return isKept(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Without a value: forgets. */
const write = (kept?: Kept): void => {
  store('local', name, kept && JSON.stringify(kept))
}

const belongsTo = (kept: Kept, user: Pick<User, 'id' | 'login'>): boolean =>
  kept.server === serverOrigin() && kept.user === user.id && kept.login === user.login

/** What this user saw last, and how many repositories there were. */
export const keptRepos = (user: User | undefined): { repos: Repo[]; total: number } | undefined => {
  const kept = user && read()
  return kept && kept.repos.length > 0 && belongsTo(kept, user) ? { repos: kept.repos, total: kept.total } : undefined
}

const keep = (): void => {
  const { data: user, error } = queryClient.getQueryState(userQuery().queryKey) ?? {}
  const repos = queryClient.getQueryData(reposQuery().queryKey)
  // The cache still knows who was signed in when the session ended.
  if (!user || !repos || isStatus(error, 401)) return
  const top = sortRepos(repos).slice(0, most)
  write({ server: serverOrigin(), user: user.id, login: user.login, total: repos.length, repos: top })
}

/** Not while the answer is being drawn. */
const whenIdle = (task: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 2_000 })
  else setTimeout(task, 500)
}

const forgetOthers = (): void => {
  const user = queryClient.getQueryState(userQuery().queryKey)
  const kept = read()
  if (kept && (isStatus(user?.error, 401) || (user?.data && !belongsTo(kept, user.data)))) write()
}

/** Of the person of this page; what another one keeps by now stays. */
export const forgetRepos = (): void => {
  const user = queryClient.getQueryData(userQuery().queryKey)
  const kept = read()
  if (kept && user && belongsTo(kept, user)) write()
}

/** Keeps each answer of the server, and the state in which the page is left; forgets at a sign-out. */
export const watchRepos = (): void => {
  queryClient.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated') return
    const { action, query } = notice
    if (query.queryKey[0] === 'getUser' && (action.type === 'success' || action.type === 'error')) forgetOthers()
    if (query.queryKey[0] === 'listRepos' && action.type === 'success' && !action.manual) whenIdle(keep)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep()
  })
}
