/** What starts a build: sent by any source of a reason, received by `builds`. */
import type { Again, Build, Repo } from '@flightdeck/api'
import type { Db } from '../store/open.ts'
import type { GitReader } from './git.ts'

/**
 * A hook that a repository change, a person or the clock fires (docs/api §5.3 lists the fields per
 * source).
 */
export interface Hook {
  event: Build['event']
  action?: string
  trigger: string
  /** The login of the person who started it by hand. */
  actor?: string
  sender?: string
  ref: string
  source: string
  target: string
  before: string
  after: string
  message?: string
  title?: string
  link?: string
  sourceRepo?: string
  author?: { login: string; name: string; email: string; avatar: string }
  params?: Record<string, string>
  parent?: number
  /** Which part of the parent runs again. */
  again?: Again
  cron?: string
  deployTo?: string
  /** The forge's id of the deployment that asked for it. */
  deployId?: number
  debug?: boolean
  /** A note for readers of the build about its origin; shown in the place of an error. */
  note?: string
}

/**
 * Refuses if the person has lost the permission in the meantime; called in the transaction, since
 * git can take a while.
 */
export type RightsCheck = (tx: Db) => Promise<void>

/** The source of a hook, if it is not the clock. */
export interface HookSource {
  /** To read the commit with, if not with the server's own. */
  git?: GitReader
  /**
   * Takes what the hook is about as dealt with, in the transaction that makes the build. False:
   * there must be none.
   */
  take(tx: Db): Promise<boolean>
  /** The build that is copied, if the caller has read it already. */
  parent?: Build
}

/** A person who requested a build. */
export const askedBy = (stillMay?: RightsCheck, parent?: Build): HookSource => ({
  ...(parent && { parent }),
  async take(tx) {
    await stillMay?.(tx)
    return true
  },
})

/** Our own page of the commit, which a hook links to (docs/api §2.10). */
export const commitLink = (repo: Repo, sha: string): string => (repo.link ? `${repo.link}/commit/${sha}` : '')
