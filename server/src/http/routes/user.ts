/** `/api/user`: the own account (docs/api §2.1). */
import { listRecentBuilds, listUserRepos } from '../../store/repo-lists.ts'
import { updateUser } from '../../store/users.ts'
import { accepts } from '../accept.ts'
import { json, jsonList, noContent } from '../answers.ts'
import { decodeBody, formValue } from '../bodies.ts'
import { userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { reposWithReasons } from '../reasons.ts'
import { createRepoLists, plainBody } from '../repo-list.ts'
import { checkText } from '../texts.ts'
import { giveToken, tokenOf } from '../../people/tokens.ts'

export function userRoutes({ store: { db }, ci, box, log }: HttpDependencies) {
  const lists = createRepoLists(db, (repos) => reposWithReasons(ci, repos))

  /** The one answer that a browser keeps and asks about: it may be megabytes (docs/decisions/drone.md). */
  async function latest(c: Call): Promise<Response> {
    const { id } = userOf(c)
    const headers = new Headers({
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept-Encoding, Authorization, Cookie',
    })
    const etag = await lists.etag(id)
    if (c.req.header('if-none-match')?.includes(etag)) {
      headers.set('ETag', etag)
      return new Response(null, { status: 304, headers })
    }
    const body = await lists.body(id)
    headers.set('ETag', body.etag)
    const packed = accepts(c, 'gzip')
    if (packed) headers.set('Content-Encoding', 'gzip')
    const bytes = packed ? body.gzip : await plainBody(body.gzip)
    headers.set('Content-Length', String(bytes.length))
    return new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), { headers })
  }

  const recent: Handler = async (c) => json(await reposWithReasons(ci, await listRecentBuilds(db, userOf(c).id)))
  return {
    'GET /api/user': (c) => json(userOf(c)),
    'PATCH /api/user': async (c) => {
      const { email } = await decodeBody(c, 'User', { email: 'string' })
      checkText(email, 'Invalid email')
      return json(found(await updateUser(db, userOf(c).id, { email: email ?? '' })))
    },
    'POST /api/user/token': async (c) => {
      const user = userOf(c)
      const rotate = (await formValue(c, 'rotate')) === 'true'
      const token = (rotate ? null : await tokenOf(db, box, user)) ?? (await giveToken(db, box, user))
      return json({ ...user, token })
    },
    'GET /api/user/repos': async (c) => {
      if ((await formValue(c, 'latest')) === 'true') return latest(c)
      return jsonList(await listUserRepos(db, userOf(c).id))
    },
    'POST /api/user/repos': async (c) => {
      const user = userOf(c)
      const isAsync = (await formValue(c, 'async')) === 'true'
      const done = ci.sync(user)
      if (isAsync) {
        done.catch((error: unknown) => log(`reading the repositories of ${user.login} failed`, error))
        return noContent()
      }
      await done
      return jsonList(await listUserRepos(db, user.id))
    },
    'GET /api/user/builds': recent,
    'GET /api/user/builds/recent': recent,
  } satisfies Record<string, Handler>
}
