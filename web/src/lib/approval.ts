/** Which builds wait for an approval, and whether a user can give it. Pure. */
import type { Build, Repo, User } from '@flightdeck/api'

export const needsApproval = ({ status, waiting }: Build): boolean =>
  status === 'blocked' || waiting?.reason === 'approval'

/** Some servers send no permissions with lists: then the build page says whether this user can approve. */
export const canApprove = ({ admin }: User, repo: Repo | undefined): boolean =>
  admin || repo?.permissions?.write !== false
