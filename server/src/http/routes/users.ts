/** `/api/users`: user management (docs/api §2.2). */
import { welcomeUser } from '../../store/default-access.ts'
import { inTransaction, type Db } from '../../store/open.ts'
import { transferRepos } from '../../store/owners.ts'
import { listUserRepos } from '../../store/repo-lists.ts'
import { deleteInvitations, deleteUserSessions } from '../../store/sessions.ts'
import {
  createUser,
  deleteUser,
  findUser,
  hasOtherAdministrator,
  listUsers,
  setToken,
  updateUser,
} from '../../store/users.ts'
import { newToken } from '../authenticate.ts'
import { json, noContent } from '../answers.ts'
import { decodeBody } from '../bodies.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { found, HttpError } from '../errors.ts'
import { invite } from '../invitations.ts'
import { checkText } from '../texts.ts'
import { giveToken, sealToken } from '../tokens.ts'
import { namedUser } from '../users.ts'

function checkLogin(login: string): void {
  const bytes = new TextEncoder().encode(login).length
  if (bytes === 0 || bytes > 50) throw new HttpError(400, 'Invalid username length')
  if (!/^[.a-zA-Z0-9_-]+$/.test(login)) throw new HttpError(400, 'Invalid character in username')
}

/** Within the transaction that takes the right away: two administrators may do it to each other at the same moment. */
async function checkLast(tx: Db, id: number): Promise<void> {
  const user = found(await findUser(tx, id))
  if (!user.admin || !user.active || (await hasOtherAdministrator(tx, id))) return
  throw new HttpError(409, `${user.login} is the last administrator: make somebody else administrator first`)
}

export function usersRoutes(dependencies: Required<HttpDependencies>) {
  const { box, now, defaultAccess } = dependencies
  const { db } = dependencies.store

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
      checkText(input.email, 'Invalid email')
      checkText(input.token, 'Invalid token')
      const token = input.token || newToken()
      const user = await inTransaction(db, async (tx) => {
        const created = await createUser(tx, { ...input, login, created: now(), token: sealToken(box, token) })
        await welcomeUser(tx, created, defaultAccess, now())
        return created
      })
      if (user.machine) return json({ ...user, token })
      // Whoever made the account hands the link on: it is told here and never again.
      return json({ ...user, invitation: await invite(db, user, dependencies) })
    },
    'GET /api/users/:user': async (c) => json(await namedUser(db, c)),
    'PATCH /api/users/:user': async (c) => {
      const user = await namedUser(db, c)
      const { admin, active } = await decodeBody(c, 'userInput', { admin: 'bool', active: 'bool' })
      const changed = await inTransaction(db, async (tx) => {
        if (active === false || admin === false) await checkLast(tx, user.id)
        if (active === false) {
          await transferRepos(tx, user.id)
          await deleteUserSessions(tx, user.id)
          await deleteInvitations(tx, user.id)
          // Else it would be good again when the account is.
          await setToken(tx, user.id, null)
        }
        const rights = active === false ? { admin: false, active } : { admin, active }
        return updateUser(tx, user.id, rights)
      })
      return json(found(changed))
    },
    'POST /api/users/:user/token/rotate': async (c) => {
      const user = await namedUser(db, c)
      const token = await giveToken(db, box, user)
      // A person reads it on the account page; a machine has nobody else who could.
      return json({ ...user, message: 'Token rotated successfully.', ...(user.machine && { token }) })
    },
    'DELETE /api/users/:user': async (c) => {
      const user = await namedUser(db, c)
      await inTransaction(db, async (tx) => {
        await checkLast(tx, user.id)
        await transferRepos(tx, user.id)
        await deleteUserSessions(tx, user.id)
        await deleteUser(tx, user.id)
      })
      return noContent()
    },
    'GET /api/users/:user/repos': async (c) => json(await listUserRepos(db, (await namedUser(db, c)).id)),
  } satisfies Record<string, Handler>
}
