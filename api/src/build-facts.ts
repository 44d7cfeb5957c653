/** Facts derived from a build's fields, for the page and the server. Pure. */
import type { Build } from './types.ts'

/** Whether the build waits for approval and nothing of it is running. */
export const needsApproval = ({ status, waiting }: Pick<Build, 'status' | 'waiting'>): boolean =>
  status === 'blocked' || waiting?.reason === 'approval'

/**
 * The pull request number in a ref, `''` for other refs. Each forge has its own format:
 * `refs/pull/7/head`, `refs/merge-requests/7/head`, `refs/pull-requests/7/from`.
 */
export const pullNumber = (ref: string | undefined): string => /^refs\/[^/]+\/(\d+)(?:\/|$)/.exec(ref ?? '')?.[1] ?? ''
