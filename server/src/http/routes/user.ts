/** `/api/user`: the own account (docs/api §2.1). */
import type { User } from '@flightdeck/api'
import { capabilities } from '@flightdeck/api/capabilities'
import { topType } from '@flightdeck/api/repo-top'
import { listFavorites } from '../../store/favorites.ts'
import { listViews } from '../../store/views.ts'
import { listRecentBuilds, listUserRepos } from '../../store/repo-lists.ts'
import { updateUser } from '../../store/users.ts'
import { accepts } from '../accept.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { decodeBody, formValue } from '../bodies.ts'
import { userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { reposWithReasons } from '../repos-with-reasons.ts'
import { createRepoLists, plainBody, type Body } from '../repo-list.ts'
import { checkText } from '../text-limits.ts'
import { issueToken, tokenOf } from '../../people/tokens.ts'

/** Of the folders that a sync refused. */
const maxRefused = 50

const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function userRoutes({ store: { db }, ci, box, log }: HttpDependencies) {
  const lists = createRepoLists(db, (repos) => reposWithReasons(ci, repos))

  /** What a browser keeps and asks about: it may be megabytes (docs/decisions/drone.md). */
  const cacheHeaders = (etag: string): Headers =>
    new Headers({
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Accept-Encoding, Authorization, Cookie',
      ETag: etag,
    })
  const isKnown = (c: Call, etag: string): boolean => c.req.header('if-none-match')?.includes(etag) ?? false
  const unchanged = (etag: string): Response => new Response(null, { status: 304, headers: cacheHeaders(etag) })

  async function packed(c: Call, { etag, gzip }: Body, type = 'application/json'): Promise<Response> {
    const headers = cacheHeaders(etag)
    headers.set('Content-Type', type)
    const takes = accepts(c, 'gzip')
    if (takes) headers.set('Content-Encoding', 'gzip')
    const bytes = takes ? gzip : await plainBody(gzip)
    headers.set('Content-Length', String(bytes.length))
    return new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), { headers })
  }

  async function latest(c: Call): Promise<Response> {
    const { id } = userOf(c)
    if (c.req.header('accept')?.includes(topType) && (await lists.isLong(id))) return latestTop(c, id)
    const etag = await lists.etag(id)
    return isKnown(c, etag) ? unchanged(etag) : packed(c, await lists.body(id))
  }

  async function latestTop(c: Call, id: number): Promise<Response> {
    const etag = await lists.topEtag(id)
    return isKnown(c, etag) ? unchanged(etag) : packed(c, await lists.top(id), topType)
  }

  /** Refused folder names, which only administrators see. */
  const refusedFor = ({ admin }: User): string[] => (admin ? ci.refused().slice(0, maxRefused) : [])

  const recent: Handler = async (c) => json(await reposWithReasons(ci, await listRecentBuilds(db, userOf(c).id)))
  return {
    'GET /api/user': async (c) => {
      const user = userOf(c)
      const refused = refusedFor(user)
      const favorites = await listFavorites(db, user)
      const views = await listViews(db, user.id)
      return json({
        ...user,
        ...(refused.length > 0 && { sync_refused: refused }),
        ...(favorites.length > 0 && { favorites }),
        ...(views.length > 0 && { views }),
        capabilities,
      })
    },
    'PATCH /api/user': async (c) => {
      const { email } = await decodeBody(c, 'User', { email: 'string' })
      checkText(email, 'Invalid email')
      return json({ ...found(await updateUser(db, userOf(c).id, { email: email ?? '' })), capabilities })
    },
    'POST /api/user/token': async (c) => {
      const user = userOf(c)
      const rotate = (await formValue(c, 'rotate')) === 'true'
      const token = (rotate ? null : await tokenOf(db, box, user)) ?? (await issueToken(db, box, user))
      return json({ ...user, token })
    },
    'GET /api/user/repos': async (c) => {
      if ((await formValue(c, 'latest')) === 'true') return latest(c)
      return jsonList(await listUserRepos(db, userOf(c).id))
    },
    'GET /api/user/repos/parts/:part': async (c) => {
      const part = Number(c.req.param('part'))
      const body = found(await lists.part(userOf(c).id, c.req.query('list') ?? '', part))
      return isKnown(c, body.etag) ? unchanged(body.etag) : packed(c, body)
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
      const response = await jsonList(await listUserRepos(db, user.id))
      const refused = refusedFor(user)
      // The body is Drone's list. A header holds ASCII only.
      if (refused.length > 0) response.headers.set('X-Flightdeck-Sync-Refused', asciiJson(refused))
      return response
    },
    'GET /api/user/builds': recent,
    'GET /api/user/builds/recent': recent,
  } satisfies Record<string, Handler>
}
