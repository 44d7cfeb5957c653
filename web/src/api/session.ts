import type { Repo, User } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownerOfPage } from './person.ts'
import { userQuery } from './queries.ts'
import { isStatus } from './query-client.ts'

/**
 * The signed-in user; undefined while unknown or signed out. Pages inside the guard always have
 * one.
 */
export const useMe = (): User | undefined => {
  const { data, error } = useQuery(userQuery())
  // After a session has ended, the cache still has the last response.
  return isStatus(error, 401) ? undefined : data
}

/**
 * The user has a role on the repository, not only access by its visibility, or is a system
 * administrator.
 */
export const isMember = (user: User | undefined, repo: Pick<Repo, 'permissions'> | undefined): boolean =>
  user?.admin === true || repo?.permissions?.read === true

/** Specification §6: write permission on the repository, or system admin. */
export const canWrite = (user: User | undefined, repo: Pick<Repo, 'permissions'> | undefined): boolean =>
  user?.admin === true || repo?.permissions?.write === true

/** Specification §6: repository admin permission (a system admin may do everything). */
export const canAdminister = (user: User | undefined, repo: Pick<Repo, 'permissions'> | undefined): boolean =>
  user?.admin === true || repo?.permissions?.admin === true

/** Flightdeck's own server is configured to show public repositories to guests. */
export const hasPublicPages = (): boolean => window.flightdeckPublicPages === true

/**
 * Whether a guest may view public pages. Not after a session has ended in this document: data read
 * for that user must be discarded first, which a new document does.
 */
export const mayVisit = (): boolean => hasPublicPages() && ownerOfPage() === undefined
