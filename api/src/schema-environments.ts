/** Deployment environments: Flightdeck only. */
import * as z from 'zod/mini'
import { changedBy, listedBuild } from './schema-builds.ts'
import { commitFile } from './schema-commits.ts'
import { present, whole } from './schema-values.ts'

export const environmentRule = z.object({
  name: z.string(),
  who: z.enum(['writers', 'administrators', 'people']),
  people: present.texts,
  approval: z.boolean(),
})
/** `people`: logins, separated by spaces or commas. */
export const environmentRuleInput = z.object({
  who: z.optional(z.string()),
  people: z.optional(z.string()),
  approval: z.optional(z.boolean()),
})
export const environment = z.object({
  name: z.string(),
  current: z.optional(listedBuild),
  head: z.optional(z.object({ branch: z.string(), sha: z.string() })),
  items: z.array(listedBuild),
  next: z.optional(whole),
  rule: z.optional(environmentRule),
  may_deploy: z.boolean(),
})
export const comparison = z.object({
  from: z.string(),
  to: z.string(),
  commits: z.optional(z.array(changedBy)),
  more: present.flag,
  without: present.number,
  files: z.optional(z.array(commitFile)),
  total: z.optional(whole),
})
