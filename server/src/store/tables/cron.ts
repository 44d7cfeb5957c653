import type { Cron } from '@flightdeck/api'
import { defineTable, fixed, flag, id, number, optional, text } from '../table.ts'

export const cron = defineTable<Cron, 'last'>()(
  'cron',
  {
    id: id(),
    repo_id: fixed(number()),
    name: fixed(text()),
    expr: text(),
    next: number(),
    prev: number(),
    event: fixed(text()),
    branch: text(),
    target: optional.text(),
    disabled: flag(),
    created: fixed(number()),
    updated: fixed(number()),
    version: fixed(number()),
    /** When it last could not start a build, and why; absent after it has started one. */
    failed: fixed(optional.number()),
    error: fixed(optional.text()),
  },
  {},
)
