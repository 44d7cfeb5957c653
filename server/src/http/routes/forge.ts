/** How this server is connected to a forge: ours alone. */
import { findPermissions } from '../../store/permissions.ts'
import { Refusal } from '../../lib/refusal.ts'
import { json, noContent } from '../responses.ts'
import { repoOf, userOf, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'

export function forgeRoutes({ forge, store: { db } }: Required<HttpDependencies>) {
  return {
    'GET /api/forge': () =>
      json(
        forge ? { connected: true, title: forge.title, url: forge.url, sign_in: forge.signIn } : { connected: false },
      ),
    'GET /api/user/sync': (c) => {
      const { syncing, synced } = userOf(c)
      const state = forge?.syncState(userOf(c))
      return json({
        syncing,
        synced,
        ...state?.running,
        error: state?.error ?? '',
        refused: state?.refused ?? [],
        refused_count: state?.refusedCount ?? 0,
      })
    },
    'POST /api/repos/:owner/:name/forge/fetch': async (c) => {
      if ((await forge?.fetchNow(repoOf(c))) !== true)
        throw new Refusal(400, 'The repository is not connected to a Git host')
      return noContent()
    },
    'GET /api/repos/:owner/:name/forge': async (c) => {
      const user = c.get('user')
      const rights = user && (await findPermissions(db, user.id, repoOf(c).id))
      const secrets = user?.admin === true || rights?.admin === true
      const connection = found((await forge?.connection(repoOf(c), { secrets })) ?? null)
      const { hook, mirror, link, status } = connection
      return json({
        forge: connection.forge,
        link,
        acts_as: connection.actsAs,
        status_error: status,
        hook: {
          state: hook.state,
          error: hook.error,
          seen: hook.lastReceived,
          ...(hook.manual && {
            manual: {
              url: hook.manual.url,
              secret: hook.manual.secret,
              content_type: hook.manual.contentType,
              events: hook.manual.events,
              page: hook.manual.page,
            },
          }),
        },
        mirror,
      })
    },
  } satisfies Record<string, Handler>
}
