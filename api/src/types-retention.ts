/** Retention of builds and logs. The schemas document the fields. */
import type * as z from 'zod/mini'
import type { retention, retentionPatch } from './schema-retention.ts'

export type Retention = z.infer<typeof retention>
/** A repository's own limits. -1: the server's default; 0: no limit. */
export type RetentionOwn = Retention['own']
/** 0: no limit. */
export type RetentionLimits = Retention['defaults']
export type RetentionPatch = z.infer<typeof retentionPatch>
