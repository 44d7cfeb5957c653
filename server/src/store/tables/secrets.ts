import type { Secret } from '@flightdeck/api'
import { defineTable, fixed, id, number, optional, text } from '../table.ts'

/** Sealed. A value leaves the store only through `listSealedSecrets`. */
const sealed = { data: text() }

/** Of repositories. */
export const secrets = defineTable<Secret, 'namespace' | 'type'>()(
  'secret',
  {
    id: id(),
    repo_id: fixed(number()),
    name: fixed(text()),
    pull_request: optional.flag(),
    pull_request_push: optional.flag(),
  },
  sealed,
)

/** Of organizations. */
export const orgSecrets = defineTable<Secret, 'repo_id' | 'type'>()(
  'secret',
  {
    id: id(),
    namespace: fixed(text()),
    name: fixed(text()),
    pull_request: optional.flag(),
    pull_request_push: optional.flag(),
  },
  sealed,
)
