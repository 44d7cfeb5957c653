/** Flightdeck only: the connection to a forge (docs/api/forge.md). */
import * as z from 'zod/mini'
import { time, whole } from './schema-values.ts'

export const forge = z.union([
  z.object({ connected: z.literal(false) }),
  z.object({
    connected: z.literal(true),
    title: z.string().check(z.minLength(1)),
    url: z.string().check(z.regex(/^https?:/)),
    sign_in: z.enum(['oauth', 'password']),
  }),
])

export const syncProgress = z.object({
  syncing: z.boolean(),
  synced: time,
  /**
   * Repositories read so far by a running sync. `total` is absent if the forge does not report it.
   */
  done: z.optional(whole),
  total: z.optional(whole),
  /** Why the last sync failed; empty if it did not. */
  error: z.string(),
  /** Excluded repositories with the reasons: the first 100 of `refused_count`. */
  refused: z.array(z.string()),
  refused_count: whole,
})

export const repoConnection = z.object({
  forge: z.string(),
  link: z.string(),
  acts_as: z.string(),
  status_error: z.string(),
  hook: z.object({
    state: z.enum(['none', 'installed', 'manual']),
    error: z.string(),
    seen: time,
    manual: z.optional(
      z.object({
        url: z.string(),
        secret: z.string(),
        content_type: z.string(),
        events: z.array(z.string()),
        page: z.string(),
      }),
    ),
  }),
  mirror: z.object({ fetched: time, bytes: whole, error: z.string() }),
})
