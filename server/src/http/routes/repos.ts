/** `/api/repos`: repositories and their settings (docs/api §2.3). */
import type { Repo, RepoPatch } from '@flightdeck/api'
import { repoSettings, systemSettings } from '@flightdeck/api/schema'
import { StaleVersionError } from '../../store/errors.ts'
import { findPermissions } from '../../store/permissions.ts'
import { deleteRepo, findRepo, listRepos, updateRepo } from '../../store/repos.ts'
import { findUser } from '../../store/users.ts'
import { json, jsonList } from '../responses.ts'
import { decodeBody, formValue } from '../bodies.ts'
import { fieldsOf } from '../fields-of.ts'
import { repoOf, userOf, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { pageNumber, pageSize } from '../number-params.ts'

const anyoneFields = fieldsOf(repoSettings)
/** From other users they are ignored silently (docs/api §2.3). */
const administratorFields = fieldsOf(systemSettings)

/** The reference server stores any text and any number; here a value must mean something. */
function checkSettings(repo: Repo, patch: Omit<RepoPatch, 'visibility'> & { visibility?: string }): RepoPatch {
  const { visibility } = patch
  if (visibility !== undefined && !isVisibility(visibility)) throw new Refusal(400, 'Invalid visibility')
  if (patch.timeout !== undefined && (patch.timeout < 1 || patch.timeout > 60 * 24 * 365)) {
    throw new Refusal(400, 'Invalid timeout')
  }
  if (patch.throttle !== undefined && patch.throttle < 0) throw new Refusal(400, 'Invalid throttle')
  if (patch.counter !== undefined && patch.counter < repo.counter) throw new Refusal(400, 'Invalid counter')
  const path = patch.config_path
  if (path !== undefined && (path.length > 1000 || /\p{Cc}/u.test(path) || path.split('/').includes('..'))) {
    throw new Refusal(400, 'Invalid configuration path')
  }
  return { ...patch, visibility }
}
const isVisibility = (text: string): text is Repo['visibility'] => /^(public|private|internal)$/.test(text)

/** The keys that are set. */
const given = (patch: RepoPatch): Partial<Repo> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))

export function reposRoutes(dependencies: Required<HttpDependencies>) {
  const { ci, forge } = dependencies
  const { db } = dependencies.store

  /**
   * A new build updates the same row (its counter), so the row is read again after a concurrent
   * write.
   */
  async function change(repo: Repo, changes: Partial<Repo>): Promise<Repo> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await updateRepo(db, { ...found(await findRepo(db, repo.id)), ...changes })
      } catch (error) {
        if (!(error instanceof StaleVersionError) || attempt === 5) throw error
      }
    }
  }

  return {
    'GET /api/repos': async (c) => {
      const page = pageNumber(await formValue(c, 'page'))
      const perPage = pageSize(await formValue(c, 'per_page'), 1_000_000_000)
      return jsonList(await listRepos(db, { page, perPage }))
    },
    'GET /api/repos/:owner/:name': async (c) => {
      const user = c.get('user')
      const permissions = user && (await findPermissions(db, user.id, repoOf(c).id))
      return json(permissions ? { ...repoOf(c), permissions } : repoOf(c))
    },
    'PATCH /api/repos/:owner/:name': async (c) => {
      const fields = userOf(c).admin ? { ...anyoneFields, ...administratorFields } : anyoneFields
      const patch = await decodeBody(c, 'repositoryInput', fields)
      return json(await change(repoOf(c), given(checkSettings(repoOf(c), patch))))
    },
    'POST /api/repos/:owner/:name': async (c) => json(await ci.enable(repoOf(c), userOf(c))),
    'DELETE /api/repos/:owner/:name': async (c) => {
      const repo = await ci.disable(repoOf(c))
      if ((await formValue(c, 'remove')) === 'true') {
        await ci.purge(repo, Number.MAX_SAFE_INTEGER, userOf(c))
        await deleteRepo(db, repo.id)
      }
      return json(repo)
    },
    'POST /api/repos/:owner/:name/chown': async (c) => json(await change(repoOf(c), { user_id: userOf(c).id })),
    'POST /api/repos/:owner/:name/repair': async (c) => {
      const repaired = await forge?.repair(repoOf(c))
      if (repaired) return json(repaired)
      await ci.sync(found(await findUser(db, repoOf(c).user_id)))
      return json(found(await findRepo(db, repoOf(c).id)))
    },
  } satisfies Record<string, Handler>
}
