import type { Again, Build, BuildCause, BuildEvent, Status } from '@flightdeck/api'
import { defineTable, fixed, flag, generated, id, map, number, optional, text } from '../table.ts'

/** Columns that do not change during a build's life are `fixed`. */
export const builds = defineTable<Build, 'waiting' | 'ended' | 'excerpts' | 'stages'>()(
  'build',
  {
    id: id(),
    repo_id: fixed(number()),
    trigger: fixed(text()),
    number: fixed(number()),
    parent: fixed(optional.number()),
    status: text<Status>(),
    error: optional.text(),
    event: fixed(text<BuildEvent>()),
    action: fixed(text()),
    link: fixed(text()),
    timestamp: fixed(number()),
    title: fixed(optional.text()),
    message: fixed(text()),
    before: fixed(text()),
    after: fixed(text()),
    ref: fixed(text()),
    source_repo: fixed(text()),
    source: fixed(text()),
    target: fixed(text()),
    author_login: fixed(text()),
    author_name: fixed(text()),
    author_email: fixed(text()),
    author_avatar: fixed(text()),
    sender: fixed(text()),
    params: fixed(map()),
    cron: fixed(optional.text()),
    deploy_to: fixed(optional.text()),
    deploy_id: fixed(optional.number()),
    debug: fixed(optional.flag()),
    started: number(),
    finished: number(),
    created: fixed(number()),
    updated: number(),
    version: fixed(number()),
    actor: fixed(optional.text()),
    canceled: optional.number(),
    canceled_by: optional.text(),
    declined: optional.number(),
    declined_by: optional.text(),
    /** Which part of its parent it reruns; absent if it reruns the whole build. */
    again: fixed(optional.json<Again>()),
    /** Why it failed; absent if that is unknown. */
    cause: fixed(optional.json<BuildCause>()),
  },
  {
    /** The event of the first build that this one is a copy of, or its own event. */
    origin: generated(text()),
    /** Whether its stages wait or waited for approval, except those that were approved. */
    gated: generated(flag()),
  },
)
