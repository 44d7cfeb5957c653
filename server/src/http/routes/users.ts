/** `/api/users`: user management (wire.md §2.2). */
import type { User } from '@flightdeck/api'
import { transferRepos } from '../../store/permissions.ts'
import { inTransaction, type Db } from '../../store/open.ts'
import { listUserRepos } from '../../store/repo-lists.ts'
import { deleteUserSessions } from '../../store/sessions.ts'
import { createUser, deleteUser, findUser, findUserByLogin, listUsers, updateUser } from '../../store/users.ts'
import { newToken } from '../authenticate.ts'
import { json, noContent } from '../answers.ts'
import { decodeBody } from '../bodies.ts'
import { param, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, HttpError } from '../errors.ts'
import { giveToken, sealToken } from '../tokens.ts'

function checkLogin(login: string): void {
  const bytes = new TextEncoder().encode(login).length
  if (bytes === 0 || bytes > 50) throw new HttpError(400, 'Invalid username length')
  if (!/^[.a-zA-Z0-9_-]+$/.test(login)) throw new HttpError(400, 'Invalid character in username')
}

/** By login in any case, or by id (wire.md §2.2). */
async function named(db: Db, c: Call): Promise<User> {
  const name = param(c, 'user')
  return found((await findUserByLogin(db, name)) ?? (/^\d{1,15}$/.test(name) ? await findUser(db, Number(name)) : null))
}

export function usersRoutes({ store: { db }, box, now }: Required<HttpDependencies>) {
  return {
    'GET /api/users': async () => json(await listUsers(db)),
    'POST /api/users': async (c) => {
      const input = await decodeBody(c, 'userWithToken', {
        login: 'string',
        email: 'string',
        admin: 'bool',
        machine: 'bool',
        token: 'string',
      })
      const login = input.login ?? ''
      checkLogin(login)
      const token = input.token || newToken()
      const user = await createUser(db, { ...input, login, created: now(), token: sealToken(box, token) })
      return json(user.machine ? { ...user, token } : user)
    },
    'GET /api/users/:user': async (c) => json(await named(db, c)),
    'PATCH /api/users/:user': async (c) => {
      const user = await named(db, c)
      const { admin, active } = await decodeBody(c, 'userInput', { admin: 'bool', active: 'bool' })
      const changed = await inTransaction(db, async (tx) => {
        if (active === false) await transferRepos(tx, user.id)
        const rights = active === false ? { admin: false, active } : { admin, active }
        return updateUser(tx, user.id, rights)
      })
      return json(found(changed))
    },
    'POST /api/users/:user/token/rotate': async (c) => {
      const user = await named(db, c)
      await giveToken(db, box, user)
      return json({ ...user, message: 'Token rotated successfully.' })
    },
    'DELETE /api/users/:user': async (c) => {
      const user = await named(db, c)
      await inTransaction(db, async (tx) => {
        await transferRepos(tx, user.id)
        await deleteUserSessions(tx, user.id)
        await deleteUser(tx, user.id)
      })
      return noContent()
    },
    'GET /api/users/:user/repos': async (c) => json(await listUserRepos(db, (await named(db, c)).id)),
  } satisfies Record<string, Handler>
}
