import type { Status, Step } from '@flightdeck/api'
import { defineTable, fixed, flag, generated, id, list, named, number, optional, text } from '../table.ts'

/** Columns that a report may not change (docs/api §7.3) are `fixed`. */
export const steps = defineTable<Step, 'waiting' | 'ended'>()(
  'step',
  {
    id: id(),
    step_id: named('step_stage_id', fixed(number())),
    number: fixed(number()),
    name: text(),
    status: text<Status>(),
    error: optional.text(),
    errignore: optional.flag(),
    exit_code: number(),
    started: optional.number(),
    stopped: optional.number(),
    version: fixed(number()),
    depends_on: list<string>(),
    image: optional.text(),
    detached: optional.flag(),
    schema: optional.text(),
  },
  {
    /** Whether the runner has sent the whole log. */
    uploaded: generated(flag()),
    /** The step that ran in its place; 0 if it ran itself. */
    origin: generated(number()),
  },
)
