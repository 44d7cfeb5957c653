/** One search for everything that a person may see. Ours alone; today it finds builds. */
import type { SearchAnswer } from '@flightdeck/api'
import { Refusal } from '../../lib/refusal.ts'
import { findUnindexed } from '../../store/build-search/index-builds.ts'
import { SearchBusyError } from '../../store/build-search/search.ts'
import { listVisibleBuilds } from '../../store/build-search/visible.ts'
import { seesInternal } from '../../store/visibility.ts'
import { json } from '../responses.ts'
import { userOf, type Handler, type HttpDependencies } from '../context.ts'

const maxChars = 200
const maxBuilds = 20
/** Of the look through the index; the whole answer takes at most 150 ms among a million builds. */
const timeMs = 120

export function searchRoutes({ store: { db }, search }: Required<HttpDependencies>) {
  return {
    'GET /api/search': async (c) => {
      const text = c.req.query('text') ?? ''
      if (text.trim() === '' || text.length > maxChars)
        throw new Refusal(400, `The search text must have 1 to ${maxChars} characters`)
      const user = userOf(c)
      const found = await search
        .find({
          text,
          reader: { id: user.id, admin: user.admin, internal: seesInternal(user) },
          limit: maxBuilds,
          timeMs,
        })
        .catch((error: unknown) => {
          throw error instanceof SearchBusyError ? new Refusal(503, error.message, 1) : error
        })
      if (!found) throw new Refusal(409, 'A newer search replaced this one')
      const answer: SearchAnswer = {
        builds: {
          items: await listVisibleBuilds(db, user, found.ids),
          more: found.more,
          indexing: (await findUnindexed(db)) > 0,
        },
      }
      return json(answer)
    },
  } satisfies Record<string, Handler>
}
