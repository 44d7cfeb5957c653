import type { LeftOut, Stage, Status } from '@flightdeck/api'
import { defineTable, fixed, flag, generated, id, list, map, number, optional, text } from '../table.ts'

/** What a runner or the lifecycle may change (docs/api §7.3) is not `fixed`. */
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
    /** The number of the build in which it ran; absent: its own. */
    taken_over: fixed(optional.number()),
    /** What its file says to no effect. */
    ignored: fixed(list<string>()),
  },
  {
    /** Steps that conditions leave out of it: an answer to a runner has none of them. */
    left_out: list<LeftOut>(),
    /** A runner on another machine has it. */
    remote: generated(flag()),
  },
)
