/** GitLab. The namespace of a project holds slashes; every call names the project by its id. */
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
import { isNamespace } from '../hooks/facts.ts'
import { gitlabMergeRequestOf } from '../hooks/gitlab.ts'
import { Json } from '../hooks/json.ts'
import { callJson } from './json-client.ts'
import { oauthSignIn } from './oauth.ts'
import { listAllItems, repositoryPages, totalOf } from './paging.ts'
import { checkedSha, cut, hookOf, listOf, orNull, unexpectedShape, userOf } from './shapes.ts'
import { createSerialQueue, installOne, removeAll, sharedParts } from './shared.ts'
import { gitlabStates } from './states.ts'

const title = 'GitLab'
const pageSize = 100
const maxDescriptionLength = 255
/**
 * Access levels of members (docs.gitlab.com, "Members API"): a guest reads no code of a private
 * project.
 */
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 }

const levelOf = (json: Json): number => {
  const may = json.at('permissions')
  const ofProject = may.at('project_access').number('access_level') ?? 0
  const ofGroup = may.at('group_access').number('access_level') ?? 0
  return Math.max(ofProject, ofGroup)
}

const projectOf = (json: Json): ForgeRepository | undefined => {
  const id = json.id('id')
  const path = json.text('path_with_namespace')
  const at = path.lastIndexOf('/')
  if (!id || at <= 0 || !isNamespace(path)) return undefined
  const value = json.text('visibility')
  const visibility = value === 'public' || value === 'internal' ? value : 'private'
  const level = levelOf(json)
  return {
    id,
    namespaceId: json.at('namespace').id('id'),
    namespace: path.slice(0, at),
    name: path.slice(at + 1),
    visibility,
    defaultBranch: json.text('default_branch'),
    archived: json.flag('archived') || json.has('marked_for_deletion_at') || json.has('marked_for_deletion_on'),
    link: json.url('web_url'),
    permissions: {
      read: visibility !== 'private' || level >= levels.reporter,
      write: level >= levels.developer,
      admin: level >= levels.maintainer,
    },
  }
}

const theProject = (data: unknown, id?: string): ForgeRepository => {
  const project = projectOf(new Json(data))
  if (!project) throw unexpectedShape(title, 'a project')
  if (id !== undefined && project.id !== id) throw unexpectedShape(title, 'another project')
  return project
}

const theHook = (data: unknown): ForgeHook => {
  const json = new Json(data)
  const hook = hookOf(json)
  if (!hook) throw unexpectedShape(title, 'a webhook')
  return activeOf(json, hook)
}

/** GitLab has no switch, but turns off a hook that fails. */
const activeOf = (json: Json, hook: ForgeHook): ForgeHook => ({
  ...hook,
  active: !['disabled', 'temporarily_disabled'].includes(json.text('alert_status')),
})

/** GitLab refuses a state that the status already has, and an earlier one. */
const isRepeated = (error: unknown): boolean =>
  error instanceof ForgeError && error.status === 400 && /cannot transition status/i.test(error.message)

/** A branch or a tag as GitLab names it; the ref of a merge request is neither. */
const refName = (ref = ''): { ref?: string } => {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  return name === '' || name.startsWith('refs/') ? {} : { ref: name }
}

export function gitlabDriver(settings: ForgeSettings & { kind: 'gitlab' }): Driver {
  const base = settings.apiUrl ?? settings.url
  const end = { title, base }
  const runYielding = createSerialQueue()

  const call = (
    token: ForgeToken,
    path: readonly (string | number)[],
    more: Omit<Parameters<typeof callJson>[2], 'headers'> = {},
    signal?: AbortSignal,
  ) =>
    callJson(end, ['api', 'v4', ...path], { ...more, headers: { authorization: `Bearer ${token.access}` } }, { signal })

  const pageOf = (headers: Headers, sent: number) => {
    const next = headers.get('x-next-page')
    return { sent, ...(next !== null && { more: next !== '' }), ...totalOf(headers, 'x-total') }
  }

  const listHooks = (token: ForgeToken, { id }: RepositoryRef, signal?: AbortSignal): Promise<ForgeHook[]> =>
    listAllItems(
      async (page) => {
        const query = { page, per_page: pageSize }
        const { data, headers } = await call(token, ['projects', id, 'hooks'], { query }, signal)
        const sent = listOf(title, data)
        const items = sent.flatMap((item) => {
          const hook = hookOf(item)
          return hook ? [activeOf(item, hook)] : []
        })
        return { items, ...pageOf(headers, sent.length) }
      },
      (hook) => hook.id,
    )

  const remove =
    (token: ForgeToken, { id }: RepositoryRef, signal?: AbortSignal) =>
    async (hook: string) => {
      await call(token, ['projects', id, 'hooks', hook], { method: 'DELETE' }, signal)
    }

  return {
    ...sharedParts(settings),
    title,
    signIn: oauthSignIn(settings, { title, authorize: '/oauth/authorize', token: '/oauth/token', scope: 'api' }),
    hasStatuses: true,
    hookByHand: {
      contentType: 'application/json',
      events: ['Push events', 'Tag push events', 'Merge request events'],
      page: (repo) => `${sharedParts(settings).links.repository(repo)}/-/hooks`,
    },

    async currentUser(token, signal) {
      return userOf(title, (await call(token, ['user'], {}, signal)).data)
    },

    organizations: (token, signal) =>
      listAllItems(
        async (page) => {
          const query = { page, per_page: pageSize, min_access_level: levels.guest, order_by: 'id' }
          const { data, headers } = await call(token, ['groups'], { query }, signal)
          const sent = listOf(title, data)
          const paths = sent.map((group) => group.text('full_path')).filter((path) => isNamespace(path))
          return { items: paths, ...pageOf(headers, sent.length) }
        },
        (path) => path,
      ),

    repositories: (token, signal) =>
      repositoryPages(async (page) => {
        const query = { membership: true, page, per_page: pageSize, order_by: 'id', sort: 'asc' }
        const { data, headers } = await call(token, ['projects'], { query }, signal)
        const sent = listOf(title, data)
        const items = sent.map((item) => projectOf(item)).filter((project) => project !== undefined)
        return { items, ...pageOf(headers, sent.length) }
      }),

    repositoryById: (token, id, signal) =>
      orNull(call(token, ['projects', id], {}, signal).then(({ data }) => theProject(data, id))),

    repositoryByName: (token, { namespace, name }, signal) =>
      orNull(call(token, ['projects', `${namespace}/${name}`], {}, signal).then(({ data }) => theProject(data))),

    listHooks,

    installHook: (token, repo, { url, secret }, signal) =>
      runYielding(repo.id, () => {
        const path = ['projects', repo.id, 'hooks']
        const body = {
          url,
          token: secret,
          push_events: true,
          tag_push_events: true,
          merge_requests_events: true,
          enable_ssl_verification: true,
        }
        return installOne(
          {
            list: () => listHooks(token, repo, signal),
            create: async () => theHook((await call(token, path, { method: 'POST', body }, signal)).data),
            update: async (id) => theHook((await call(token, [...path, id], { method: 'PUT', body }, signal)).data),
            remove: remove(token, repo, signal),
          },
          url,
        )
      }),

    removeHook: (token, repo, url, signal) =>
      runYielding(repo.id, () =>
        removeAll({ list: () => listHooks(token, repo, signal), remove: remove(token, repo, signal) }, url),
      ),

    openPullRequests: (token, repo, signal) =>
      listAllItems(
        async (page) => {
          const query = { state: 'opened', page, per_page: pageSize }
          const { data, headers } = await call(token, ['projects', repo.id, 'merge_requests'], { query }, signal)
          const sent = listOf(title, data)
          const items = sent.map((item) => gitlabMergeRequestOf(item, repo.id)).filter((pull) => pull !== undefined)
          return { items, ...pageOf(headers, sent.length) }
        },
        ({ ref }) => ref,
        maxPullRequests,
      ),

    async setStatus(token, repo, sha, { state, context, description, url, ref }, signal) {
      const body = {
        state: gitlabStates[state],
        name: context,
        description: cut(description, maxDescriptionLength),
        target_url: url,
        ...refName(ref),
      }
      try {
        await call(token, ['projects', repo.id, 'statuses', checkedSha(sha)], { method: 'POST', body }, signal)
      } catch (error) {
        if (!isRepeated(error)) throw error
      }
    },
  } satisfies Driver
}
