/** How long builds and logs of a repository are kept. Ours alone. */
import * as z from 'zod/mini'
import { time, whole } from './schema-values.ts'

/** 0: no limit. */
const limits = {
  /** Builds that are older go. */
  build_days: whole,
  /** Builds beyond this number go, the oldest first. */
  builds: whole,
  /** Logs of builds that are older go. */
  log_days: whole,
  /** Megabytes of all logs of the repository; the oldest go. */
  log_mb: whole,
}
/** -1: the server's default. */
const own = z.object(limits)
/** Body of `PATCH …/retention`: what is left out stays. */
export const retentionPatch = z.partial(own)

export const retention = z.object({
  own,
  defaults: z.object(limits),
  /** When the next run is; 0: no limit is set. */
  next: time,
  /** What the next run removes, as far as it is known before: counts of builds. */
  planned: z.object({ old_builds: whole, surplus_builds: whole, old_logs: whole }),
  /** The last run that had something to do here. */
  last: z.nullable(z.object({ at: time, builds: whole, logs: whole, bytes: whole, error: z.string() })),
})
