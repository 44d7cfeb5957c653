/** Scheduled jobs of a repository (docs/api §2.5). */
import type { Cron } from '@flightdeck/api'
import { deleteCron, findCron, listCron } from '../../store/cron.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { decodeBody } from '../bodies.ts'
import { param, repoOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, noRows } from '../errors.ts'
import { checkText } from '../text-limits.ts'

export function cronRoutes({ store: { db }, ci }: HttpDependencies) {
  const named = async (c: Call): Promise<Cron> => found(await findCron(db, repoOf(c).id, param(c, 'cron')))

  return {
    'GET /api/repos/:owner/:name/cron': async (c) => jsonList(await listCron(db, repoOf(c).id)),
    'POST /api/repos/:owner/:name/cron': async (c) => {
      const input = await decodeBody(c, 'Cron', { name: 'string', expr: 'string', branch: 'string' })
      const { name = '', expr = '', branch = '' } = input
      checkText(name, 'Invalid Cronjob Name')
      checkText(branch, 'Invalid Cronjob Branch')
      return json(await ci.createCron(repoOf(c), { name, expr, branch }))
    },
    'GET /api/repos/:owner/:name/cron/:cron': async (c) => json(await named(c)),
    'POST /api/repos/:owner/:name/cron/:cron': async (c) => {
      const job = await named(c)
      if (repoOf(c).user_id === 0) throw noRows()
      const build = await ci.runCron(repoOf(c), job.name, userOf(c), c.get('stillMay'))
      return json(build && (await ci.withReasons([build]))[0])
    },
    'PATCH /api/repos/:owner/:name/cron/:cron': async (c) => {
      const job = await named(c)
      const fields = { branch: 'string', target: 'string', disabled: 'bool' } as const
      // A body that cannot be read changes nothing, and is no error (docs/api §2.5).
      const patch = await decodeBody(c, 'cronUpdate', fields).catch((): Partial<Cron> => ({}))
      checkText(patch.target, 'Invalid Cronjob Target')
      return json(await ci.changeCron(job, defined(patch)))
    },
    'DELETE /api/repos/:owner/:name/cron/:cron': async (c) => {
      await deleteCron(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}

const defined = (patch: Partial<Cron>): Partial<Cron> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
