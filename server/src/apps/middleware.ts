/** Middleware that several apps share. */
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { unknownPath } from '../http/responses.ts'
import { isRewritten } from '../http/security.ts'

/** Refuses a path that a proxy may read in another way than this server does. */
export const refuseRewrittenPaths: MiddlewareHandler<AppEnv> = async (c, next) =>
  isRewritten(c) ? unknownPath() : next()
