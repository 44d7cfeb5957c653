/** Scheduled jobs of a repository (docs/api §2.5). */
import type { Cron } from '@flightdeck/api'
import { isBranchOrTag } from '../../pipeline/ref-names.ts'
import { createCron, deleteCron, findCron, listCron, updateCron } from '../../store/cron.ts'
import { json, noContent } from '../answers.ts'
import { decodeBody } from '../bodies.ts'
import { param, repoOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, HttpError, noRows } from '../errors.ts'
import { checkText } from '../texts.ts'

const isBranch = (branch: string): boolean =>
  branch !== '' && branch.length <= 250 && !/[\p{Cc}\s]/u.test(branch) && isBranchOrTag(branch)

export function cronRoutes({ store: { db }, ci, checkCron, now }: Required<HttpDependencies>) {
  const named = async (c: Call): Promise<Cron> => found(await findCron(db, repoOf(c).id, param(c, 'cron')))
  /** What came due while it was off is not made up for. */
  const rescheduled = (job: Cron, before: Cron): Cron =>
    before.disabled && !job.disabled ? { ...job, next: checkCron(job, now()).next } : job

  return {
    'GET /api/repos/:owner/:name/cron': async (c) => json(await listCron(db, repoOf(c).id)),
    'POST /api/repos/:owner/:name/cron': async (c) => {
      const input = await decodeBody(c, 'Cron', { name: 'string', expr: 'string', branch: 'string' })
      const { name = '', expr = '', branch = '' } = input
      checkText(name, 'Invalid Cronjob Name')
      checkText(branch, 'Invalid Cronjob Branch')
      return json(await createCron(db, { repo_id: repoOf(c).id, ...checkCron({ name, expr, branch }, now()) }))
    },
    'GET /api/repos/:owner/:name/cron/:cron': async (c) => json(await named(c)),
    'POST /api/repos/:owner/:name/cron/:cron': async (c) => {
      const job = await named(c)
      if (repoOf(c).user_id === 0) throw noRows()
      return json(await ci.runCron(repoOf(c), job.name, userOf(c)))
    },
    'PATCH /api/repos/:owner/:name/cron/:cron': async (c) => {
      const job = await named(c)
      const fields = { branch: 'string', target: 'string', disabled: 'bool' } as const
      // A body that cannot be read changes nothing, and is no error (docs/api §2.5).
      const patch = await decodeBody(c, 'cronUpdate', fields).catch((): Partial<Cron> => ({}))
      if (patch.branch !== undefined && !isBranch(patch.branch)) throw new HttpError(400, 'Invalid Cronjob Branch')
      checkText(patch.target, 'Invalid Cronjob Target')
      return json(await updateCron(db, rescheduled({ ...job, ...defined(patch) }, job)))
    },
    'DELETE /api/repos/:owner/:name/cron/:cron': async (c) => {
      await deleteCron(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}

const defined = (patch: Partial<Cron>): Partial<Cron> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
