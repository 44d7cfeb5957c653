import type { Secret } from '@flightdeck/api'
import { defineTable, fixed, id, number, optional, text } from '../table.ts'

/** Sealed. A value leaves the store only through `listSealedSecrets`. */
const sealed = { data: text() }

/** Secrets of repositories. */
export const secrets = defineTable<Secret, 'namespace' | 'type' | 'overridden_in'>()(
  'secret',
  {
    id: id(),
    repo_id: fixed(number()),
    name: fixed(text()),
    pull_request: optional.flag(),
    pull_request_push: optional.flag(),
    updated: optional.number(),
    updated_by: optional.text(),
  },
  sealed,
)

/** Secrets of organizations. */
export const orgSecrets = defineTable<Secret, 'repo_id' | 'type' | 'overridden_in'>()(
  'secret',
  {
    id: id(),
    namespace: fixed(text()),
    name: fixed(text()),
    pull_request: optional.flag(),
    pull_request_push: optional.flag(),
    updated: optional.number(),
    updated_by: optional.text(),
  },
  sealed,
)
