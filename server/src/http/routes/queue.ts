/** Waiting and running stages of all repositories (docs/api §2.8). */
import { listIncompleteStages } from '../../store/incomplete.ts'
import { listIncompleteBuilds } from '../../store/repo-lists.ts'
import { listQueue } from '../../store/stages.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { reposWithReasons } from '../repos-with-reasons.ts'
import type { Handler, HttpDependencies } from '../context.ts'

export function queueRoutes({ store: { db }, ci }: HttpDependencies) {
  return {
    'GET /api/queue': async () => jsonList(await ci.stagesWithReasons(await listQueue(db))),
    // The methods are Drone's: taking the queue away is pausing it.
    'DELETE /api/queue': () => {
      ci.pauseQueue()
      return noContent()
    },
    'POST /api/queue': () => {
      ci.resumeQueue()
      return noContent()
    },
    'GET /api/builds/incomplete': async () => json(await reposWithReasons(ci, await listIncompleteBuilds(db))),
    'GET /api/builds/incomplete/v2': async () => json(await listIncompleteStages(db)),
  } satisfies Record<string, Handler>
}
