/** The fields of a row in the endpoint table. */
import type { Capability } from '../capabilities.ts'
import type { SchemaName } from '../schemas.ts'

/**
 * The access levels of docs/api §2.0. `anyone` includes guests. `namespace` stands for both
 * "member" and "orgadmin", because a server without a forge does not know the members of an
 * organization. `metrics` is for administrators and machines. `member` is Flightdeck's own: read
 * access by a permission, not by the repository's visibility.
 */
export type Level = 'anyone' | 'user' | 'sysadmin' | 'namespace' | 'metrics' | 'read' | 'member' | 'write' | 'admin'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'
type QueryType = 'string' | 'integer' | 'boolean'

export interface Row {
  /** Method and path. `:name` is one path segment, `*` is the rest. */
  call: `${Method} /${string}`
  level: Level
  /** Query parameters; `*` allows any key. */
  query?: Readonly<Record<string, QueryType>>
  /** The schema of the JSON body. */
  body?: SchemaName
  /** The schema of the response, a list of it, a media type, or `null` for no content (204). */
  answer: SchemaName | `${SchemaName}[]` | `${string}/${string}` | null
  /** Rejected for named tokens: what it creates could outlast the token's expiry and revocation. */
  notByNamedToken?: true
  /** Flightdeck only. If it has a capability, the page checks that first. */
  own?: Capability | true
}

/** The filter parameters of build lists (docs/guide/filters.md). */
export const buildFilter = {
  branch: 'string',
  event: 'string',
  status: 'string',
  author: 'string',
  environment: 'string',
  text: 'string',
  since: 'integer',
  until: 'integer',
  longer: 'integer',
  shorter: 'integer',
} as const
