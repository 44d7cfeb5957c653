/** Ref names for manual builds and cron builds. */

/** The ref of a branch; a full ref stays unchanged (docs/api §2.4). */
export const branchRef = (branch: string): string => (branch.startsWith('refs/') ? branch : `refs/heads/${branch}`)

/**
 * Only users with push access can move these refs. Anyone may be able to write others, such as the
 * heads of pull requests, and a build of a branch gets secrets that those do not get.
 */
export const isBranchOrTag = (name: string): boolean => /^refs\/(heads|tags)\/./.test(branchRef(name))
