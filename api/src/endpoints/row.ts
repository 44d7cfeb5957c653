/** What one row of the table of endpoints says. */
import type { Capability } from '../capabilities.ts'
import type { SchemaName } from '../schemas.ts'

/**
 * The levels of docs/api §2.0. `anyone` is for what guests may ask, too. `namespace` is for both "member" and "orgadmin":
 * without a forge no server knows the members of an organization. `metrics` is for administrators and machines. `member` is
 * ours: a reader by their own permission, not by the visibility of the repository.
 */
export type Level = 'anyone' | 'user' | 'sysadmin' | 'namespace' | 'metrics' | 'read' | 'member' | 'write' | 'admin'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'
type QueryType = 'string' | 'integer' | 'boolean'

export interface Row {
  /** Method and path. `:name` is one part of a path, `*` the rest. */
  call: `${Method} /${string}`
  level: Level
  /** Parameters of the query; `*` is for keys of any name. */
  query?: Readonly<Record<string, QueryType>>
  /** The schema of the JSON that is sent. */
  body?: SchemaName
  /** The schema of the answer, a list of it, a media type, or `null` for no content (204). */
  answer: SchemaName | `${SchemaName}[]` | `${string}/${string}` | null
  /** Refused to a caller with a named token: it could outlive its expiry and its revocation by what it makes. */
  notByNamedToken?: true
  /** Only Flightdeck servers have it. If it has a capability, the page checks that first. */
  own?: Capability | true
}

/** The conditions of a list of builds (docs/guide/filters.md). */
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
