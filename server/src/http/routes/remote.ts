/**
 * The repositories as their source has them (docs/api §2.1): here the folders that the server
 * reads.
 */
import type { Repo } from '@flightdeck/api'
import { findPermissions } from '../../store/permissions.ts'
import { listUserRepos } from '../../store/repo-lists.ts'
import { findRepoBySlug } from '../../store/repos.ts'
import { json } from '../responses.ts'
import { param, userOf, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'

/** Without what only the CI knows of it. */
const remote = (repo: Repo): Repo => ({
  ...repo,
  id: 0,
  user_id: 0,
  active: false,
  config_path: '',
  trusted: false,
  protected: false,
  timeout: 0,
  counter: 0,
  version: 0,
})

export function remoteRoutes({ store: { db } }: HttpDependencies) {
  return {
    'GET /api/user/remote/repos': async (c) => json((await listUserRepos(db, userOf(c).id)).map(remote)),
    'GET /api/user/remote/repos/:owner/:name': async (c) => {
      const repo = await findRepoBySlug(db, `${param(c, 'owner')}/${param(c, 'name')}`)
      const permissions = repo && (await findPermissions(db, userOf(c).id, repo.id))
      // The reference server's status, whatever the reason.
      if (!repo || !permissions?.read) throw new Refusal(500, 'Not Found')
      return json({ ...remote(repo), permissions })
    },
  } satisfies Record<string, Handler>
}
