/** Who has rights on a repository (docs/api §2.3; PUT is an extra route of issue 6, point 3). */
import type { User } from '@flightdeck/api'
import { deletePermissions, findPermissions, listCollaborators, setPermissions } from '../../store/permissions.ts'
import { findUserByLogin } from '../../store/users.ts'
import { json, noContent } from '../answers.ts'
import { decodeBody } from '../bodies.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, HttpError, noRows } from '../errors.ts'

export function collaboratorsRoutes({ store: { db }, now }: Required<HttpDependencies>) {
  const named = async (c: Call): Promise<User> => found(await findUserByLogin(db, param(c, 'login')))
  return {
    'GET /api/repos/:owner/:name/collaborators': async (c) => json(await listCollaborators(db, repoOf(c).id)),
    'GET /api/repos/:owner/:name/collaborators/:login': async (c) =>
      json(found(await findPermissions(db, (await named(c)).id, repoOf(c).id))),
    'PUT /api/repos/:owner/:name/collaborators/:login': async (c) => {
      const user = await named(c)
      const rights = await decodeBody(c, 'Perm', { read: 'bool', write: 'bool', admin: 'bool' })
      // Each right holds the ones below it.
      const admin = rights.admin ?? false
      const write = admin || (rights.write ?? false)
      // Who may do nothing has no row: that is what DELETE is for.
      if (!write && rights.read === false) throw new HttpError(400, 'A collaborator may at least read')
      const permissions = { read: true, write, admin }
      await setPermissions(db, { userId: user.id, repoId: repoOf(c).id }, permissions, now())
      return json(permissions)
    },
    'DELETE /api/repos/:owner/:name/collaborators/:login': async (c) => {
      if (!(await deletePermissions(db, (await named(c)).id, repoOf(c).id))) throw noRows()
      return noContent()
    },
  } satisfies Record<string, Handler>
}
