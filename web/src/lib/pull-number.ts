/**
 * The number of a pull request as its ref tells it, `''` for another ref. Each forge has a ref of its own: `refs/pull/7/head`,
 * `refs/merge-requests/7/head`, `refs/pull-requests/7/from`.
 */
export const pullNumber = (ref: string | undefined): string => /^refs\/[^/]+\/(\d+)(?:\/|$)/.exec(ref ?? '')?.[1] ?? ''
