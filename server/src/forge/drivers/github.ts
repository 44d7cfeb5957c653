/**
 * GitHub and GitHub Enterprise Server, with `@octokit/request`, whose types are GitHub's own API
 * description.
 */
import { request } from '@octokit/request'
import {
  ForgeError,
  maxPullRequests,
  type Driver,
  type ForgeHook,
  type ForgeRepository,
  type ForgeSettings,
  type ForgeToken,
  type RepositoryRef,
} from '../driver.ts'
import { githubPullOf } from '../hooks/github.ts'
import { Json } from '../hooks/json.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { oauthSignIn } from './oauth.ts'
import { listAllItems, repositoryPages } from './paging.ts'
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
import { createSerialQueue, currentNames, installOne, removeAll, sharedParts } from './shared.ts'
import { commitStates, deploymentStates } from './states.ts'

const title = 'GitHub'
const pageSize = 100
/** GitHub refuses longer ones. */
const maxDescriptionLength = 140
const hookEvents = ['push', 'delete', 'pull_request', 'deployment', 'repository']

/** GitHub's API is on a separate host, an Enterprise server's below a path. */
const apiAddress = ({ url, apiUrl }: ForgeSettings): string => {
  const base = apiUrl ?? url
  if (base === 'https://github.com') return 'https://api.github.com'
  return new URL(base).hostname.startsWith('api.') ? base : `${base}/api/v3`
}

/** The library wraps what the bounded fetch throws. */
const unwrapped = async <Value>(call: Promise<Value>): Promise<Value> => {
  try {
    return await call
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof ForgeError) throw cause
    if (error instanceof ForgeError) throw error
    throw unexpectedShape(title, 'an answer')
  }
}

/** A page is the last where `Link` names no next one. */
const hasNext = (link: string | undefined): boolean => (link ?? '').includes('rel="next"')

export function githubDriver(settings: ForgeSettings & { kind: 'github' }): Driver {
  const base = apiAddress(settings)
  const runYielding = createSerialQueue()

  const api = (token: ForgeToken, signal?: AbortSignal) =>
    request.defaults({
      baseUrl: base,
      headers: {
        authorization: `Bearer ${token.access}`,
        'user-agent': 'flightdeck',
        'x-github-api-version': '2022-11-28',
      },
      request: { fetch: boundedFetch({ title, base }, { signal }), log: { warn: () => undefined } },
    })

  const byName = (token: ForgeToken, { namespace, name }: Names, signal?: AbortSignal) =>
    orNull(
      unwrapped(api(token, signal)('GET /repos/{owner}/{repo}', { owner: namespace, repo: name })).then(({ data }) =>
        requireRepository(title, data),
      ),
    )

  const byId = (token: ForgeToken, id: string, signal?: AbortSignal): Promise<ForgeRepository | null> =>
    orNull(
      // Not in the description, but where GitHub itself redirects to after a rename.
      unwrapped(api(token, signal)('GET /repositories/{id}', { id })).then(({ data }) =>
        requireRepository(title, data, id),
      ),
    )

  /** Calls with the names that the repository has now. */
  const call = async <Value>(
    token: ForgeToken,
    repo: RepositoryRef,
    signal: AbortSignal | undefined,
    run: (request: ReturnType<typeof api>, names: { owner: string; repo: string }) => Promise<Value>,
  ): Promise<Value> => {
    const { namespace, name } = await currentNames(repo, {
      byName: () => byName(token, repo, signal),
      byId: () => byId(token, repo.id, signal),
    })
    return unwrapped(run(api(token, signal), { owner: namespace, repo: name }))
  }

  const theHook = (data: unknown): ForgeHook => {
    const hook = hookOf(new Json(data))
    if (!hook) throw unexpectedShape(title, 'a webhook')
    return hook
  }

  const listHooks = (token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal): Promise<ForgeHook[]> =>
    call(token, repo, signal, (request, at) =>
      listAllItems(
        async (page) => {
          const { data, headers } = await request('GET /repos/{owner}/{repo}/hooks', {
            ...at,
            page,
            per_page: pageSize,
          })
          const items = listOf(title, data)
          const hooks = items.map((item) => hookOf(item)).filter((hook) => hook !== undefined)
          return { items: hooks, sent: items.length, more: hasNext(headers.link) }
        },
        ({ id }) => id,
      ),
    )

  const removeHook = (token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal) => async (id: string) => {
    await call(token, repo, signal, (request, at) =>
      request('DELETE /repos/{owner}/{repo}/hooks/{hook_id}', { ...at, hook_id: Number(id) }),
    )
  }

  return {
    ...sharedParts(settings),
    title,
    signIn: oauthSignIn(settings, {
      title,
      authorize: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      scope: 'repo read:org user:email',
    }),
    hasStatuses: true,
    hookByHand: {
      contentType: 'application/json',
      events: ['Pushes', 'Branch or tag deletion', 'Pull requests', 'Deployments', 'Repositories'],
      page: (repo) => `${sharedParts(settings).links.repository(repo)}/settings/hooks/new`,
    },

    async currentUser(token, signal) {
      const { data } = await unwrapped(api(token, signal)('GET /user'))
      return userOf(title, data)
    },

    organizations: (token, signal) =>
      listAllItems(
        async (page) => {
          const { data, headers } = await unwrapped(api(token, signal)('GET /user/orgs', { page, per_page: pageSize }))
          const sent = listOf(title, data)
          const logins = sent.map((org) => org.text('login')).filter((login) => login !== '')
          return { items: logins, sent: sent.length, more: hasNext(headers.link) }
        },
        (login) => login,
      ),

    repositories: (token, signal) =>
      repositoryPages(async (page) => {
        const { data, headers } = await unwrapped(
          api(token, signal)('GET /user/repos', { page, per_page: pageSize, sort: 'full_name' }),
        )
        const sent = listOf(title, data)
        const items = sent.map((item) => repositoryOf(item)).filter((repository) => repository !== undefined)
        return { items, sent: sent.length, more: hasNext(headers.link) }
      }),

    repositoryById: byId,
    repositoryByName: byName,
    listHooks,

    installHook: (token, repo, { url, secret }, signal) =>
      runYielding(repo.id, () => {
        const config = { url, content_type: 'json', secret, insecure_ssl: '0' }
        const changed = { config, events: hookEvents, active: true }
        return installOne(
          {
            list: () => listHooks(token, repo, signal),
            create: () =>
              call(token, repo, signal, async (request, at) =>
                theHook((await request('POST /repos/{owner}/{repo}/hooks', { ...at, name: 'web', ...changed })).data),
              ),
            update: (id) =>
              call(token, repo, signal, async (request, at) =>
                theHook(
                  (
                    await request('PATCH /repos/{owner}/{repo}/hooks/{hook_id}', {
                      ...at,
                      hook_id: Number(id),
                      ...changed,
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

    mergeQueueTarget: (branch) => /^gh-readonly-queue\/(.+)\/pr-\d+-[0-9a-f]+$/.exec(branch)?.[1],

    openPullRequests: (token, repo, signal) =>
      call(token, repo, signal, (request, at) =>
        listAllItems(
          async (page) => {
            const query = { ...at, state: 'open', page, per_page: pageSize } as const
            const { data, headers } = await request('GET /repos/{owner}/{repo}/pulls', query)
            const sent = listOf(title, data)
            const items = sent.map((item) => githubPullOf(item, repo.id)).filter((pull) => pull !== undefined)
            return { items, sent: sent.length, more: hasNext(headers.link) }
          },
          ({ ref }) => ref,
          maxPullRequests,
        ),
      ),

    async setStatus(token, repo, sha, { state, context, description, url }, signal) {
      await call(token, repo, signal, (request, at) =>
        request('POST /repos/{owner}/{repo}/statuses/{sha}', {
          ...at,
          sha: checkedSha(sha),
          state: commitStates[state],
          context,
          description: cut(description, maxDescriptionLength),
          target_url: url,
        }),
      )
    },

    async setDeploymentStatus(token, repo, deployment, { state, environment, description, url }, signal) {
      await call(token, repo, signal, (request, at) =>
        request('POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses', {
          ...at,
          deployment_id: Number(deployment),
          state: deploymentStates[state],
          environment,
          description: cut(description, maxDescriptionLength),
          log_url: url,
        }),
      )
    },
  } satisfies Driver
}
