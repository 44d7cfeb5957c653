import * as z from 'zod/mini'
import { present, whole } from './schema-values.ts'

const count = z.optional(z.int().check(z.nonnegative()))

const hunk = z.object({
  old: whole,
  new: whole,
  heading: present.text,
  lines: z.array(z.string().check(z.regex(/^[-+ \\]/))).check(z.minLength(1)),
  long: z.optional(z.array(z.object({ at: whole, more: z.int().check(z.positive()) })).check(z.minLength(1))),
})

export const commitFile = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'renamed', 'type']),
  before: present.text,
  modes: z.optional(z.tuple([z.string(), z.string()])),
  added: count,
  deleted: count,
  binary: present.flag,
  garbled: present.flag,
  hunks: z.optional(z.array(hunk).check(z.minLength(1))),
  cut: z.optional(z.enum(['file', 'commit', 'count', 'time'])),
})

export const commit = z.object({
  sha: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)),
  parents: z.array(z.string()),
  message: z.string(),
  message_cut: present.flag,
  author: z.object({ name: z.string(), email: z.string() }),
  time: z.number(),
  files: z.array(commitFile),
  total: count,
})
