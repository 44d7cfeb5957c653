/** Scheduled jobs of a repository (docs/api §2.5). */
import type { Cron, CronPatch } from '@flightdeck/api'
import { deleteCron, findCron, listCron, withLastRuns } from '../../store/cron.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { decodeBody, queryOf } from '../bodies.ts'
import { param, repoOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, noRows } from '../errors.ts'
import { checkText } from '../text-limits.ts'

export function cronRoutes({ store: { db }, ci }: HttpDependencies) {
  const named = async (c: Call): Promise<Cron> => found(await findCron(db, repoOf(c).id, param(c, 'cron')))

  return {
    'GET /api/repos/:owner/:name/cron': async (c) => {
      const { id } = repoOf(c)
      return jsonList(await withLastRuns(db, id, await listCron(db, id)))
    },
    'GET /api/cron-times': (c) => json(ci.cronTimes(queryOf(c).get('expr') ?? '')),
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
      const fields = { branch: 'string', target: 'string', disabled: 'bool', expression: 'string' } as const
      // An unreadable body changes nothing, and is not an error (docs/api §2.5).
      const input = await decodeBody(c, 'cronUpdate', fields).catch((): CronPatch => ({}))
      // Drone ignores `expr` here, so the expression has a separate key.
      const { expression: expr, ...patch } = input
      checkText(patch.target, 'Invalid Cronjob Target')
      return json(await ci.changeCron(job, defined({ ...patch, expr })))
    },
    'DELETE /api/repos/:owner/:name/cron/:cron': async (c) => {
      await deleteCron(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}

const defined = (patch: { [K in keyof Cron]?: Cron[K] | undefined }): Partial<Cron> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
