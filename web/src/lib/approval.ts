/** Whether a user can approve builds. Pure. */
import type { Repo, User } from '@flightdeck/api'

/**
 * Some servers send no permissions with lists; then only the build page knows whether this user can
 * approve.
 */
export const canApprove = ({ admin }: User, repo: Repo | undefined): boolean =>
  admin || repo?.permissions?.write !== false
