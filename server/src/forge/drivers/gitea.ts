/** Gitea and Forgejo, with `gitea-js`, which is made of Gitea's own API description. */
import { giteaApi } from 'gitea-js'
import {
  maxPullRequests,
  type Driver,
  type ForgeHook,
  type ForgeRepository,
  type ForgeSettings,
  type ForgeToken,
  type RepositoryRef,
} from '../driver.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { oauthSignIn } from './oauth.ts'
import { listAllItems, repositoryPages, totalOf } from './paging.ts'
import {
  checkedSha,
  cut,
  hookOf,
  listOf,
  orNull,
  repositoryOf,
  unexpectedShape,
  requireRepository,
  userOf,
  type Names,
} from './shapes.ts'
import { createSerialQueue, currentNames, replaceAll, removeAll, sharedParts } from './shared.ts'
import { commitStates } from './states.ts'
import { giteaPullOf } from '../hooks/gitea.ts'
import { Json } from '../hooks/json.ts'

/** The largest page of an unchanged Gitea. */
const pageSize = 50
const maxDescriptionLength = 255
const hookEvents = ['push', 'create', 'delete', 'pull_request']
const title = { gitea: 'Gitea', forgejo: 'Forgejo' }

type Settings = ForgeSettings & { kind: 'gitea' | 'forgejo' }

/**
 * Gitea has one error for a used or expired token, for a code, and for a wrong client secret: its
 * description tells them apart.
 */
const isDeadGrant = (error: string, description: string): boolean =>
  error === 'unauthorized_client' && !/client secret|redirect/i.test(description)

/** The library writes names into addresses as they are. */
const encoded = ({ namespace, name }: Names): [string, string] => [
  encodeURIComponent(namespace),
  encodeURIComponent(name),
]

export function giteaDriver(settings: Settings): Driver {
  const { kind } = settings
  const base = settings.apiUrl ?? settings.url
  const end = { title: title[kind], base }
  const runYielding = createSerialQueue()

  const api = (token: ForgeToken, signal?: AbortSignal) =>
    giteaApi(base, { token: token.access, customFetch: boundedFetch(end, { signal }) })

  const byName = (token: ForgeToken, repo: Names, signal?: AbortSignal): Promise<ForgeRepository | null> =>
    orNull(
      api(token, signal)
        .repos.repoGet(...encoded(repo))
        .then(({ data }) => requireRepository(end.title, data)),
    )

  const byId = (token: ForgeToken, id: string, signal?: AbortSignal): Promise<ForgeRepository | null> =>
    orNull(
      api(token, signal)
        .repositories.repoGetById(Number(id))
        .then(({ data }) => requireRepository(end.title, data, id)),
    )

  /** Calls with the names that the repository has now. */
  const call = async <Value>(
    token: ForgeToken,
    repo: RepositoryRef,
    signal: AbortSignal | undefined,
    run: (client: ReturnType<typeof giteaApi>, owner: string, name: string) => Promise<Value>,
  ): Promise<Value> => {
    const current = await currentNames(repo, {
      byName: () => byName(token, repo, signal),
      byId: () => byId(token, repo.id, signal),
    })
    return run(api(token, signal), ...encoded(current))
  }

  const theHook = (data: unknown): ForgeHook => {
    const hook = hookOf(new Json(data))
    if (!hook) throw unexpectedShape(end.title, 'a webhook')
    return hook
  }

  const listHooks = (token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal): Promise<ForgeHook[]> =>
    call(token, repo, signal, (client, owner, name) =>
      listAllItems(
        async (page) => {
          const { data, headers } = await client.repos.repoListHooks(owner, name, { page, limit: pageSize })
          const items = listOf(end.title, data)
          const hooks = items.map((item) => hookOf(item)).filter((hook) => hook !== undefined)
          return { items: hooks, sent: items.length, ...totalOf(headers, 'x-total-count') }
        },
        ({ id }) => id,
      ),
    )

  const removeHook = (token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal) => async (id: string) => {
    await call(token, repo, signal, (client, owner, name) => client.repos.repoDeleteHook(owner, name, Number(id)))
  }

  return {
    ...sharedParts(settings),
    title: end.title,
    signIn: oauthSignIn(settings, {
      title: end.title,
      authorize: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      // Gitea 1.23 and newer limit the token to these; earlier versions ignore them.
      scope: 'read:user read:organization write:repository',
      isDead: isDeadGrant,
    }),
    hasStatuses: true,
    hookByHand: {
      contentType: 'application/json',
      events: ['Push', 'Create', 'Delete', 'Pull Request', 'Pull Request Synchronized'],
      page: (repo) => `${sharedParts(settings).links.repository(repo)}/settings/hooks/${kind}/new`,
    },

    async currentUser(token, signal) {
      const { data } = await api(token, signal).user.userGetCurrent()
      return userOf(end.title, data)
    },

    organizations: (token, signal) =>
      listAllItems(
        async (page) => {
          const { data, headers } = await api(token, signal).user.orgListCurrentUserOrgs({ page, limit: pageSize })
          const sent = listOf(end.title, data)
          const logins = sent.map((org) => org.text('username') || org.text('name')).filter((login) => login !== '')
          return { items: logins, sent: sent.length, ...totalOf(headers, 'x-total-count') }
        },
        (login) => login,
      ),

    repositories: (token, signal) =>
      repositoryPages(async (page) => {
        const { data, headers } = await api(token, signal).user.userCurrentListRepos({ page, limit: pageSize })
        const sent = listOf(end.title, data)
        const items = sent.map((item) => repositoryOf(item)).filter((repository) => repository !== undefined)
        return { items, sent: sent.length, ...totalOf(headers, 'x-total-count') }
      }),

    repositoryById: byId,
    repositoryByName: byName,
    listHooks,

    installHook: (token, repo, { url, secret }, signal) =>
      runYielding(repo.id, () => {
        const config = { url, content_type: 'json', secret }
        return replaceAll(
          {
            list: () => listHooks(token, repo, signal),
            create: () =>
              call(token, repo, signal, async (client, owner, name) =>
                theHook(
                  (
                    await client.repos.repoCreateHook(owner, name, {
                      type: 'gitea',
                      config,
                      events: hookEvents,
                      active: true,
                    })
                  ).data,
                ),
              ),
            remove: removeHook(token, repo, signal),
          },
          url,
        )
      }),

    removeHook: (token, repo, url, signal) =>
      runYielding(repo.id, () =>
        removeAll({ list: () => listHooks(token, repo, signal), remove: removeHook(token, repo, signal) }, url),
      ),

    openPullRequests: (token, repo, signal) =>
      call(token, repo, signal, (client, owner, name) =>
        listAllItems(
          async (page) => {
            const query = { state: 'open', page, limit: pageSize } as const
            const { data, headers } = await client.repos.repoListPullRequests(owner, name, query)
            const sent = listOf(end.title, data)
            const items = sent.map((item) => giteaPullOf(item, repo.id)).filter((pull) => pull !== undefined)
            return { items, sent: sent.length, ...totalOf(headers, 'x-total-count') }
          },
          ({ ref }) => ref,
          maxPullRequests,
        ),
      ),

    async setStatus(token, repo, sha, { state, context, description, url }, signal) {
      await call(token, repo, signal, (client, owner, name) =>
        client.repos.repoCreateStatus(owner, name, checkedSha(sha), {
          state: commitStates[state],
          context,
          description: cut(description, maxDescriptionLength),
          target_url: url,
        }),
      )
    },
  } satisfies Driver
}
