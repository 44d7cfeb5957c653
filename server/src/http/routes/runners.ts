/** Runners and the stages that wait for them, for administrators; not part of Drone's API. */
import { json } from '../responses.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export function runnersRoutes({ ci, rpc, publicUrl, version }: HttpDependencies) {
  return {
    'GET /api/runners': async () => {
      const { protocol, host } = new URL(publicUrl)
      const address = { proto: protocol.slice(0, -1), host, secret: rpc.secret !== undefined }
      const { dockerStart } = rpc
      return json({ ...(await ci.runnersState(version)), rpc: address, ...(dockerStart && { dockerStart }) })
    },
    // A separate endpoint, so that the secret does not reach pages, caches or screenshots unless
    // requested.
    'GET /api/runners/secret': () => {
      if (rpc.secret === undefined) throw new Refusal(404, 'This server has no secret for runners')
      const response = json({ secret: rpc.secret })
      response.headers.set('Cache-Control', 'no-store')
      return response
    },
  } satisfies Record<string, Handler>
}
