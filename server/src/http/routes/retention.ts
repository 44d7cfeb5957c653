/** How long builds and logs of a repository are kept (docs/guide/retention.md). */
import type { RetentionPatch } from '@flightdeck/api'
import { retentionBounds } from '../../lib/limits.ts'
import { Refusal } from '../../lib/refusal.ts'
import { decodeBody } from '../bodies.ts'
import { repoOf, type Handler, type HttpDependencies } from '../context.ts'
import { json } from '../responses.ts'

const fields = { build_days: 'int64', builds: 'int64', log_days: 'int64', log_mb: 'int64' } as const

/** -1: as the server's default says; 0: no limit. */
function checkLimits(patch: RetentionPatch): void {
  for (const [key, max] of Object.entries(retentionBounds)) {
    const value = patch[key as keyof RetentionPatch]
    if (value !== undefined && (value < -1 || value > max)) {
      throw new Refusal(400, `Invalid retention: ${key} must be a whole number from 0 to ${max}, or -1 for the default`)
    }
  }
}

export function retentionRoutes({ ci }: HttpDependencies) {
  return {
    'GET /api/repos/:owner/:name/retention': async (c) => json(await ci.retention(repoOf(c))),
    'PATCH /api/repos/:owner/:name/retention': async (c) => {
      const patch = await decodeBody(c, 'retention', fields)
      checkLimits(patch)
      return json(await ci.changeRetention(repoOf(c), patch))
    },
  } satisfies Record<string, Handler>
}
