/** Flightdeck only: how long the server keeps builds and logs of a repository. */
import * as z from 'zod/mini'
import { time, whole } from './schema-values.ts'

/** 0: no limit. */
const limits = {
  /** Removes older builds. */
  build_days: whole,
  /** Removes builds beyond this number, oldest first. */
  builds: whole,
  /** Removes the logs of older builds. */
  log_days: whole,
  /** Megabytes of all logs of the repository; removes the oldest. */
  log_mb: whole,
}
/** -1: the server's default. */
const own = z.object(limits)
/** Body of `PATCH …/retention`. Absent keys stay unchanged. */
export const retentionPatch = z.partial(own)

export const retention = z.object({
  own,
  defaults: z.object(limits),
  /** The time of the next run; 0: no limit is set. */
  next: time,
  /** The numbers of builds and logs that the next run removes, as far as known. */
  planned: z.object({ old_builds: whole, surplus_builds: whole, old_logs: whole }),
  /** The last run that removed something or failed. */
  last: z.nullable(z.object({ at: time, builds: whole, logs: whole, bytes: whole, error: z.string() })),
})
