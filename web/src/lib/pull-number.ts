/**
 * The pull request number in a ref, `''` for other refs. Each forge has its own format: `refs/pull/7/head`,
 * `refs/merge-requests/7/head`, `refs/pull-requests/7/from`.
 */
export const pullNumber = (ref: string | undefined): string => /^refs\/[^/]+\/(\d+)(?:\/|$)/.exec(ref ?? '')?.[1] ?? ''
