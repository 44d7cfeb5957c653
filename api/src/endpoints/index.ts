/**
 * The endpoint table. The client, query keys, permissions and handlers of the server,
 * docs/roles.md, docs/api/endpoints.md and the OpenAPI document derive from it. The server rejects
 * calls without a row.
 */
import { pageEndpoints } from './page.ts'
import { peopleEndpoints } from './people.ts'
import { programEndpoints } from './programs.ts'

export const endpoints = { ...pageEndpoints, ...peopleEndpoints, ...programEndpoints }
export type { Level, Row } from './row.ts'
export type Endpoints = typeof endpoints
/** `GET /api/user`. */
export type CallName = Endpoints[keyof Endpoints]['call']
