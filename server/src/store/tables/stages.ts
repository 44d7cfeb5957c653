import type { LeftOut, Stage, Status } from '@flightdeck/api'
import { defineTable, fixed, flag, generated, id, list, map, number, optional, text } from '../table.ts'

/** Columns that neither a runner nor the lifecycle may change (docs/api §7.3) are `fixed`. */
export const stages = defineTable<Stage, 'waiting' | 'ended' | 'excerpts' | 'left_out' | 'steps'>()(
  'stage',
  {
    id: id(),
    repo_id: fixed(number()),
    build_id: fixed(number()),
    number: fixed(number()),
    name: fixed(text()),
    kind: fixed(optional.text()),
    type: fixed(optional.text()),
    status: text<Status>(),
    error: optional.text(),
    errignore: flag(),
    exit_code: number(),
    machine: optional.text(),
    os: text(),
    arch: text(),
    variant: optional.text(),
    kernel: optional.text(),
    limit: fixed(optional.number()),
    throttle: fixed(optional.number()),
    started: number(),
    stopped: number(),
    created: number(),
    updated: number(),
    version: fixed(number()),
    on_success: flag(),
    on_failure: flag(),
    depends_on: list<string>(),
    labels: map(),
    approved: optional.number(),
    approved_by: optional.text(),
    declined: optional.number(),
    declined_by: optional.text(),
    /** The number of the build in which it ran; absent if it ran in its own. */
    taken_over: fixed(optional.number()),
    /** Settings in the pipeline file that have no effect. */
    ignored: fixed(list<string>()),
  },
  {
    /** Steps that conditions exclude from the stage. Responses to runners do not contain them. */
    left_out: list<LeftOut>(),
    /** Whether a runner on another machine has it. */
    remote: generated(flag()),
  },
)
