import type { Call } from './context.ts'

/** Does the client take this content encoding? A weight of 0 says no. */
export const accepts = (c: Call, encoding: string): boolean =>
  (c.req.header('accept-encoding') ?? '')
    .split(',')
    .some((part) => part.trim().split(';')[0] === encoding && !/;\s*q=0(\.0*)?\s*$/.test(part))
