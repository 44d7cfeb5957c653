/** Retention of builds and logs; the fields are explained at their schemas. */
import type * as z from 'zod/mini'
import type { retention, retentionPatch } from './schema-retention.ts'

export type Retention = z.infer<typeof retention>
/** What a repository says itself. -1: the server's default; 0: no limit. */
export type RetentionOwn = Retention['own']
/** 0: no limit. */
export type RetentionLimits = Retention['defaults']
export type RetentionPatch = z.infer<typeof retentionPatch>
