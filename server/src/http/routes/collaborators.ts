/** The people with rights on a repository (docs/api §2.3; PUT is an extra route). */
import type { User } from '@flightdeck/api'
import { findForgeAccount } from '../../store/forge-accounts.ts'
import { findRepoInternals } from '../../store/repos.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  deletePermissions,
  findPermissions,
  listCollaborators,
  listUsersWithoutRights,
} from '../../store/permissions.ts'
import { findUserByLogin } from '../../store/users.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { decodeBody, queryOf } from '../bodies.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, noRows } from '../errors.ts'
import { checkText } from '../text-limits.ts'
import { grant } from '../../people/rights.ts'

/** Enough to choose from; a longer text finds the others. */
const maxPeople = 50

export function collaboratorsRoutes({ store: { db }, now, forge }: Required<HttpDependencies>) {
  const named = async (c: Call): Promise<User> => found(await findUserByLogin(db, param(c, 'login')))
  return {
    'GET /api/repos/:owner/:name/collaborators': async (c) => json(await listCollaborators(db, repoOf(c).id)),
    'GET /api/repos/:owner/:name/people': async (c) => {
      const text = queryOf(c).get('text')?.trim() ?? ''
      checkText(text, 'Invalid text')
      return jsonList(await listUsersWithoutRights(db, repoOf(c).id, { text, limit: maxPeople }))
    },
    'GET /api/repos/:owner/:name/collaborators/:login': async (c) =>
      json(found(await findPermissions(db, (await named(c)).id, repoOf(c).id))),
    'PUT /api/repos/:owner/:name/collaborators/:login': async (c) => {
      const user = await named(c)
      // What the forge says of its people would replace it at the next sync.
      if (forge && (await findRepoInternals(db, repoOf(c).id))?.forge && (await findForgeAccount(db, user.id)))
        throw new Refusal(409, `${forge.title} manages the permissions of ${user.login}: change them there`)
      const rights = await decodeBody(c, 'Perm', { read: 'bool', write: 'bool', admin: 'bool' })
      return json(await grant(db, { user, repoId: repoOf(c).id, rights, now: now() }))
    },
    'DELETE /api/repos/:owner/:name/collaborators/:login': async (c) => {
      if (!(await deletePermissions(db, (await named(c)).id, repoOf(c).id))) throw noRows()
      return noContent()
    },
  } satisfies Record<string, Handler>
}
