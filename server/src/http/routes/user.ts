/** `/api/user`: the own account (wire.md §2.1). */
import { listRecentBuilds, listUserRepos, listUserReposWithLatest } from '../../store/repo-lists.ts'
import { updateUser } from '../../store/users.ts'
import { json, noContent } from '../answers.ts'
import { decodeBody, formValue } from '../bodies.ts'
import { userOf, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { giveToken, tokenOf } from '../tokens.ts'

export function userRoutes({ store: { db }, ci, box, log }: HttpDependencies) {
  const recent: Handler = async (c) => json(await listRecentBuilds(db, userOf(c).id))
  return {
    'GET /api/user': (c) => json(userOf(c)),
    'PATCH /api/user': async (c) => {
      const { email } = await decodeBody(c, 'User', { email: 'string' })
      return json(found(await updateUser(db, userOf(c).id, { email: email ?? '' })))
    },
    'POST /api/user/token': async (c) => {
      const user = userOf(c)
      const rotate = (await formValue(c, 'rotate')) === 'true'
      const token = (rotate ? null : await tokenOf(db, box, user)) ?? (await giveToken(db, box, user))
      return json({ ...user, token })
    },
    'GET /api/user/repos': async (c) => {
      const latest = (await formValue(c, 'latest')) === 'true'
      return json(await (latest ? listUserReposWithLatest : listUserRepos)(db, userOf(c).id))
    },
    'POST /api/user/repos': async (c) => {
      const user = userOf(c)
      const done = ci.sync(user)
      if ((await formValue(c, 'async')) === 'true') {
        done.catch((error: unknown) => log(`reading the repositories of ${user.login} failed`, error))
        return noContent()
      }
      await done
      return json(await listUserRepos(db, user.id))
    },
    'GET /api/user/builds': recent,
    'GET /api/user/builds/recent': recent,
  } satisfies Record<string, Handler>
}
