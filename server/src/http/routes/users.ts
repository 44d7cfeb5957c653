/** `/api/users`: user management (docs/api §2.2). */
import { changeAccount, checkLogin, closeAccount, openAccount } from '../../people/accounts.ts'
import { readFirstAccess } from '../../people/first-access.ts'
import { invite } from '../../people/invitations.ts'
import { newToken } from '../../people/sessions.ts'
import { issueToken, sealToken } from '../../people/tokens.ts'
import { listUserRepos } from '../../store/repo-lists.ts'
import { listUsers } from '../../store/users.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { decodeBody } from '../bodies.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { checkText } from '../text-limits.ts'
import { namedUser } from '../named-user.ts'

export function usersRoutes(dependencies: Required<HttpDependencies>) {
  const { box, now, defaultAccess } = dependencies
  const { db } = dependencies.store

  return {
    'GET /api/users': async () => jsonList(await listUsers(db)),
    'POST /api/users': async (c) => {
      const input = await decodeBody(c, 'userWithToken', {
        login: 'string',
        email: 'string',
        admin: 'bool',
        machine: 'bool',
        token: 'string',
        repositories: 'string',
        role: 'string',
      })
      const login = input.login ?? ''
      checkLogin(login)
      checkText(input.email, 'Invalid email')
      checkText(input.token, 'Invalid token')
      const token = input.token || newToken()
      const account = { ...input, login, created: now(), token: sealToken(box, token) }
      const first = readFirstAccess(input.repositories, input.role)
      const user = await openAccount(db, account, defaultAccess, first)
      if (user.machine) return json({ ...user, token })
      // The administrator hands the link on: it is shown here and never again.
      return json({ ...user, invitation: await invite(db, user, dependencies) })
    },
    'GET /api/users/:user': async (c) => json(await namedUser(db, c)),
    'PATCH /api/users/:user': async (c) => {
      const user = await namedUser(db, c)
      const { admin, active } = await decodeBody(c, 'userInput', { admin: 'bool', active: 'bool' })
      return json(found(await changeAccount(db, user, { admin, active, access: defaultAccess, now: now() })))
    },
    'POST /api/users/:user/token/rotate': async (c) => {
      const user = await namedUser(db, c)
      const token = await issueToken(db, box, user)
      // People can read the token on the account page; machine accounts cannot, so the response has
      // it.
      return json({ ...user, message: 'Token rotated successfully.', ...(user.machine && { token }) })
    },
    'DELETE /api/users/:user': async (c) => {
      await closeAccount(db, await namedUser(db, c))
      return noContent()
    },
    'GET /api/users/:user/repos': async (c) => jsonList(await listUserRepos(db, (await namedUser(db, c)).id)),
  } satisfies Record<string, Handler>
}
