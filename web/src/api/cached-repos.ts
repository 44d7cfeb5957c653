/**
 * The top of the repository list from the last visit, cached on the device per server and user. On
 * a slow network it is shown immediately, as placeholder data until the server responds.
 */
import type { Repo, User } from '@flightdeck/api'
import * as shapes from '@flightdeck/api/shapes'

import { favoritesFirst, recentRepos, sortRepos } from '../lib/repo-list.ts'
import { readStored, writeStored } from '../browser/storage.ts'
import { whenIdle } from '../browser/when-idle.ts'
import { serverOrigin } from './client.ts'
import { discardCachedFrame, cacheFrame } from './cached-frame.ts'
import { cacheUser } from './cached-user.ts'
import { reposQuery, userQuery } from './queries.ts'
import { isStatus, queryClient } from './query-client.ts'

const name = 'kept-repos'
/**
 * Specification §9: the list shows 50 at first. More would be slow to read before the first paint.
 */
const maxRepos = 50

interface Owner {
  server: string
  user: number
  login: string
}

interface Cached extends Owner {
  total: number
  repos: Repo[]
}

/** Another version can have stored a different format, which would break the page. */
const isRepoList = shapes.listOf(shapes.listedRepo)

const isCached = (value: unknown): value is Cached =>
  typeof value === 'object' && value !== null && 'repos' in value && isRepoList(value.repos)

const readCached = (): string | undefined => readStored('local', name)

const discard = (): void => {
  writeStored('local', name, undefined)
  discardCachedFrame()
}

const ownerOf = ({ id, login }: Pick<User, 'id' | 'login'>): Owner => ({ server: serverOrigin(), user: id, login })

/** Checks only the start of the text: parsing all of it would delay the first rows. */
const belongsTo = (text: string, user: Pick<User, 'id' | 'login'>): boolean =>
  text.startsWith(`${JSON.stringify(ownerOf(user)).slice(0, -1)},`)

/** The list that this user saw last, and its total; undefined once the server has responded. */
export const cachedRepos = (user: User | undefined): { repos: Repo[]; total: number } | undefined => {
  const text = readCached()
  if (!user || !text || !belongsTo(text, user) || queryClient.getQueryData(reposQuery().queryKey)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isCached(value) && value.repos.length > 0 ? { repos: value.repos, total: value.total } : undefined
  } catch {
    return undefined
  }
}

const cacheShownRepos = (): void => {
  const { data: user, error } = queryClient.getQueryState(userQuery().queryKey) ?? {}
  const repos = queryClient.getQueryData(reposQuery().queryKey)
  // The cache still contains the user when the session ends.
  if (!user || !repos || isStatus(error, 401)) return
  const sorted = sortRepos(repos)
  const listed = favoritesFirst(sorted, user.favorites).slice(0, maxRepos)
  const value: Cached = { ...ownerOf(user), total: repos.length, repos: listed }
  if (writeStored('local', name, JSON.stringify(value))) cacheFrame(user, listed, recentRepos(sorted))
}

/** Once the user is known, data of other users is deleted. */
const keepOnlyReader = (): void => {
  const user = queryClient.getQueryState(userQuery().queryKey)
  cacheUser(user?.data, user?.error)
  const text = readCached()
  if (text && (isStatus(user?.error, 401) || (user?.data && !belongsTo(text, user.data)))) discard()
}

/** Clears the cache of this page's user; the cache of another user stays. */
export const discardCachedRepos = (): void => {
  const user = queryClient.getQueryData(userQuery().queryKey)
  const text = readCached()
  if (text && user && belongsTo(text, user)) discard()
}

/**
 * Caches each response of the server, and the state when the user leaves; clears the cache at a
 * sign-out.
 */
export const watchRepos = (): void => {
  queryClient.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated') return
    const { action, query } = notice
    const [endpoint] = query.queryKey
    if (endpoint === 'getUser' && (action.type === 'success' || action.type === 'error')) keepOnlyReader()
    // The list and the user can arrive in any order; the cache needs both.
    const isAnswer = action.type === 'success' && !action.manual
    if (isAnswer && (endpoint === 'listRepos' || endpoint === 'getUser')) whenIdle(cacheShownRepos)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') cacheShownRepos()
  })
}
