import type { Repo, User } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownerOfPage } from './person.ts'
import { userQuery } from './queries.ts'
import { isStatus } from './query-client.ts'

/** The signed-in user; undefined while unknown or signed out. Pages inside the guard always have one. */
export const useMe = (): User | undefined => {
  const { data, error } = useQuery(userQuery())
  // A session that ended leaves the last answer in the cache.
  return isStatus(error, 401) ? undefined : data
}

/** A permission of their own, not only by the visibility of the repository, or system admin. */
export const isMember = (user: User | undefined, repo: Pick<Repo, 'permissions'> | undefined): boolean =>
  user?.admin === true || repo?.permissions?.read === true

/** Specification §6: write permission on the repository, or system admin. */
export const canWrite = (user: User | undefined, repo: Pick<Repo, 'permissions'> | undefined): boolean =>
  user?.admin === true || repo?.permissions?.write === true

/** Specification §6: repository admin permission (a system admin may do everything). */
export const canAdminister = (user: User | undefined, repo: Pick<Repo, 'permissions'> | undefined): boolean =>
  user?.admin === true || repo?.permissions?.admin === true

/** Our own server was told to show the pages of public repositories to guests. */
export const hasPublicPages = (): boolean => window.flightdeckPublicPages === true

/**
 * A signed-out visitor may read them. Not where somebody's session has ended: what was read for that person must go
 * first, and with a new document it has.
 */
export const mayVisit = (): boolean => hasPublicPages() && ownerOfPage() === undefined
