/** Named tokens and sessions of the own account. Extra routes, which Drone does not have. */
import { createNamedToken } from '../../people/access-tokens.ts'
import { deleteAccessToken, listAccessTokens } from '../../store/access-tokens.ts'
import { deleteUserSession, deleteUserSessions, listSessions } from '../../store/sessions.ts'
import { Refusal } from '../../lib/refusal.ts'
import { sessionOf } from '../authenticate.ts'
import { decodeBody } from '../bodies.ts'
import { param, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { json, jsonList, noContent } from '../responses.ts'

/** The number in the address; 0, which nothing has, for any other text. */
const idOf = (c: Call): number => {
  const text = param(c, 'id')
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

export function accountRoutes({ store: { db }, now }: Required<HttpDependencies>) {
  return {
    'GET /api/user/tokens': async (c) => jsonList(await listAccessTokens(db, userOf(c).id)),
    'POST /api/user/tokens': async (c) => {
      const { name = '', expires = 0 } = await decodeBody(c, 'token', { name: 'string', expires: 'int64' })
      return json(await createNamedToken(db, userOf(c), { name, expires }, now()))
    },
    'DELETE /api/user/tokens/:id': async (c) => {
      if (!(await deleteAccessToken(db, userOf(c).id, idOf(c)))) throw new Refusal(404, 'Token not found')
      return noContent()
    },
    'GET /api/user/sessions': async (c) => {
      const current = await sessionOf(db, c, now())
      const sessions = await listSessions(db, userOf(c).id, now())
      return jsonList(sessions.map((session) => ({ ...session, current: session.id === current })))
    },
    'DELETE /api/user/sessions/:id': async (c) => {
      if (!(await deleteUserSession(db, userOf(c).id, idOf(c)))) throw new Refusal(404, 'Session not found')
      return noContent()
    },
    'DELETE /api/user/sessions': async (c) => {
      await deleteUserSessions(db, userOf(c).id, await sessionOf(db, c, now()))
      return noContent()
    },
  } satisfies Record<string, Handler>
}
