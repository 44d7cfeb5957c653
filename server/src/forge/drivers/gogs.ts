/**
 * Gogs, which has no OAuth, no statuses and no pages: sign-in by name and password, and one list of
 * all repositories.
 */
import {
  ForgeError,
  type Driver,
  type ForgeHook,
  type ForgeRepository,
  type ForgeSettings,
  type ForgeToken,
  type PasswordSignIn,
  type RepositoryRef,
} from '../driver.ts'
import { createLruCache } from '../../lib/cache.ts'
import { Json } from '../hooks/json.ts'
import { callJson } from './json-client.ts'
import {
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

const title = 'Gogs'
const hookEvents = ['push', 'create', 'delete', 'pull_request']
/** Of 10,000 repositories, which come in one answer. */
const maxListBytes = 32_000_000
/** Its repositories have one in nine bytes. */
const maxListValues = maxListBytes / 8
/** Tokens with the same name and a number appended. Gogs cannot delete tokens. */
const maxTokens = 100
/**
 * What is remembered of the names of repositories, so that one is found without the list of all.
 */
const maxRememberedBytes = 8 * 1024 * 1024

export function gogsDriver(settings: ForgeSettings & { kind: 'gogs' }): Driver {
  const end = { title, base: settings.apiUrl ?? settings.url }
  const runYielding = createSerialQueue()
  /** By id. They may be outdated: a response with another id is ignored. */
  const lastNames = createLruCache<Names>({ maxSize: maxRememberedBytes })

  const call = (
    authorization: string,
    path: readonly (string | number)[],
    more: Omit<Parameters<typeof callJson>[2], 'headers'> = {},
    signal?: AbortSignal,
  ) =>
    callJson(
      end,
      ['api', 'v1', ...path],
      { ...more, headers: { authorization } },
      { signal, maxBytes: maxListBytes, maxValues: maxListValues },
    )

  const asToken = ({ access }: ForgeToken): string => `token ${access}`

  const isGood = async (access: string, login: string, signal?: AbortSignal): Promise<boolean> => {
    try {
      const { data } = await call(asToken({ access }), ['user'], {}, signal)
      return userOf(title, data).login.toLowerCase() === login.toLowerCase()
    } catch (error) {
      if (error instanceof ForgeError && error.failure === 'unauthorized') return false
      throw error
    }
  }

  /** Asked with the password, so that a refusal is about that. */
  const listTokens = async (basic: string, path: readonly string[], signal?: AbortSignal): Promise<unknown> => {
    try {
      return (await call(basic, path, {}, signal)).data
    } catch (error) {
      if (!(error instanceof ForgeError) || error.failure !== 'unauthorized') throw error
      throw new ForgeError('unauthorized', 'Wrong Gogs username or password.', { status: 401 })
    }
  }

  const signIn: PasswordSignIn = {
    kind: 'password',
    async signIn({ login, password, tokenName, known }, signal) {
      // A colon would end the name.
      if (login === '' || login.includes(':')) throw new ForgeError('unauthorized', 'This user does not exist on Gogs.')
      const basic = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
      const path = ['users', login, 'tokens']
      const tokens = listOf(title, await listTokens(basic, path, signal))
      // The password is right. Gogs 0.12 returns existing tokens again, 0.13 only a part of their
      // hash.
      const stored = tokens.find((token) => token.text('name') === tokenName)?.text('sha1') ?? ''
      for (const access of [known?.access ?? '', stored]) {
        if (/^[0-9a-f]{40}$/.test(access) && (await isGood(access, login, signal))) return { access }
      }
      const taken = new Set(tokens.map((token) => token.text('name')))
      const numbered = Array.from({ length: maxTokens }, (_, index) => `${tokenName}-${index + 2}`)
      const name = [tokenName, ...numbered].find((one) => !taken.has(one))
      if (name === undefined) {
        const advice = `Delete those named ${tokenName} in the user's settings.`
        throw new ForgeError('refused', `Gogs has too many tokens of this user. ${advice}`)
      }
      const made = new Json((await call(basic, path, { method: 'POST', body: { name } }, signal)).data)
      const access = made.text('sha1')
      if (!/^[0-9a-f]{40}$/.test(access)) throw unexpectedShape(title, 'a token')
      return { access }
    },
  }

  const everyRepository = async (token: ForgeToken, signal?: AbortSignal): Promise<ForgeRepository[]> => {
    const { data } = await call(asToken(token), ['user', 'repos'], {}, signal)
    const repositories = listOf(title, data)
      .map((item) => repositoryOf(item))
      .filter((repository) => repository !== undefined)
    for (const { id, namespace, name } of repositories) lastNames.set(id, { namespace, name })
    return repositories
  }

  const byName = (token: ForgeToken, { namespace, name }: Names, signal?: AbortSignal) =>
    orNull(
      call(asToken(token), ['repos', namespace, name], {}, signal).then(({ data }) => requireRepository(title, data)),
    )

  const byId = async (token: ForgeToken, id: string, signal?: AbortSignal): Promise<ForgeRepository | null> => {
    const last = lastNames.get(id)
    const named = last ? await byName(token, last, signal) : null
    if (named?.id === id) return named
    return (await everyRepository(token, signal)).find((repository) => repository.id === id) ?? null
  }

  const callRepo = async (
    token: ForgeToken,
    repo: RepositoryRef,
    path: readonly string[],
    more: Omit<Parameters<typeof callJson>[2], 'headers'>,
    signal?: AbortSignal,
  ) => {
    const { namespace, name } = await currentNames(repo, {
      byName: () => byName(token, repo, signal),
      byId: () => byId(token, repo.id, signal),
    })
    return call(asToken(token), ['repos', namespace, name, ...path], more, signal)
  }

  const theHook = (data: unknown): ForgeHook => {
    const hook = hookOf(new Json(data))
    if (!hook) throw unexpectedShape(title, 'a webhook')
    return hook
  }

  const listHooks = async (token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal): Promise<ForgeHook[]> =>
    listOf(title, (await callRepo(token, repo, ['hooks'], {}, signal)).data)
      .map((item) => hookOf(item))
      .filter((hook) => hook !== undefined)

  const remove = (token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal) => async (id: string) => {
    await callRepo(token, repo, ['hooks', id], { method: 'DELETE' }, signal)
  }

  return {
    ...sharedParts(settings),
    title,
    signIn,
    hasStatuses: false,
    hookByHand: {
      contentType: 'application/json',
      events: ['Create', 'Delete', 'Push', 'Pull Request'],
      page: (repo) => `${sharedParts(settings).links.repository(repo)}/settings/hooks/gogs/new`,
    },

    async currentUser(token, signal) {
      return userOf(title, (await call(asToken(token), ['user'], {}, signal)).data)
    },

    async organizations(token, signal) {
      const { data } = await call(asToken(token), ['user', 'orgs'], {}, signal)
      return listOf(title, data)
        .map((org) => org.text('username'))
        .filter((login) => login !== '')
    },

    async *repositories(token, signal) {
      const repositories = await everyRepository(token, signal)
      yield { repositories, total: repositories.length }
    },

    repositoryById: byId,
    repositoryByName: byName,
    listHooks,

    installHook: (token, repo, { url, secret }, signal) =>
      runYielding(repo.id, () => {
        const config = { url, content_type: 'json', secret }
        const body = { type: 'gogs', config, events: hookEvents, active: true }
        return replaceAll(
          {
            list: () => listHooks(token, repo, signal),
            create: async () => {
              return theHook((await callRepo(token, repo, ['hooks'], { method: 'POST', body }, signal)).data)
            },
            remove: remove(token, repo, signal),
          },
          url,
        )
      }),

    removeHook: (token, repo, url, signal) =>
      runYielding(repo.id, () =>
        removeAll({ list: () => listHooks(token, repo, signal), remove: remove(token, repo, signal) }, url),
      ),

    // Gogs has no statuses.
    setStatus: async () => undefined,
  } satisfies Driver
}
