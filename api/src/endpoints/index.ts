/**
 * The one table of endpoints. From it derive the client, query keys, the rights and handlers of the server, docs/roles.md,
 * docs/api/endpoints.md and the OpenAPI document. A call without a row is not served.
 */
import { pageEndpoints } from './page.ts'
import { peopleEndpoints } from './people.ts'
import { programEndpoints } from './programs.ts'

export const endpoints = { ...pageEndpoints, ...peopleEndpoints, ...programEndpoints }
export type { Level, Row } from './row.ts'
export type Endpoints = typeof endpoints
/** `GET /api/user`. */
export type CallName = Endpoints[keyof Endpoints]['call']
