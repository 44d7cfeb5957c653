/** Saved logs (docs/api §2.4): the bytes of the file as they are, never held in memory (issue 6, point 8). */
import { isDone } from '@flightdeck/api'
import { findOrigin, listSharers } from '../../store/taken-over.ts'
import { noContent } from '../answers.ts'
import { accepts } from '../accept.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { found, noRows } from '../errors.ts'
import { stepOf } from '../steps.ts'

export function logsRoutes({ store: { db }, ci }: HttpDependencies) {
  const readOrigin = async (stepId: number) => {
    const origin = await findOrigin(db, stepId)
    return origin === null ? null : ci.logs.read(origin)
  }
  return {
    'GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      // After a cancel the runner still tells its last lines: whoever asks meanwhile gets the whole log, not a 404.
      if (isDone(step.status)) await ci.logs.closed(step.id, c.req.raw.signal)
      const saved = found((await ci.logs.read(step.id)) ?? (await readOrigin(step.id)))
      const headers = new Headers({ 'Content-Type': 'application/json', Vary: 'Accept-Encoding' })
      const packed = saved.encoding === 'gzip'
      if (packed && !accepts(c, 'gzip')) {
        return new Response(saved.body.pipeThrough(unpack()), { headers })
      }
      if (packed) headers.set('Content-Encoding', 'gzip')
      if (saved.size !== undefined) headers.set('Content-Length', String(saved.size))
      return new Response(saved.body, { headers })
    },
    'DELETE /api/repos/:owner/:name/builds/:number/logs/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      // A runner still writes it: there is nothing to delete yet.
      if (step.status === 'running') throw noRows()
      // Whoever deletes a log does so because of what stands in it.
      for (const id of await listSharers(db, step.id)) await ci.logs.remove(id)
      return noContent()
    },
  } satisfies Record<string, Handler>
}

/** The two halves are typed for any buffer; these carry plain bytes. */
const unpack = (): ReadableWritablePair<Uint8Array, Uint8Array> =>
  new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>
