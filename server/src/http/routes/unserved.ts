/**
 * Templates: answered like by an edition of Drone that is built without them (docs/api §0
 * "editions"). Only the list of a namespace is what it would be without any template: Drone's own
 * page shows nothing at all without it.
 */
import { json } from '../responses.ts'
import type { Handler } from '../context.ts'

const notImplemented: Handler = () => json({ message: 'Not Implemented' }, 501)

export function unservedRoutes() {
  return {
    'GET /api/templates': notImplemented,
    'GET /api/templates/:namespace': () => json([]),
    'POST /api/templates/:namespace': notImplemented,
    'GET /api/templates/:namespace/:template': notImplemented,
    'PATCH /api/templates/:namespace/:template': notImplemented,
    'PUT /api/templates/:namespace/:template': notImplemented,
    'DELETE /api/templates/:namespace/:template': notImplemented,
  } satisfies Record<string, Handler>
}
