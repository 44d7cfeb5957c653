/**
 * Shared by all drivers: addresses, links, verification and parsing of hooks, and a mutex for
 * changes of a repository's hooks.
 */
import {
  ForgeError,
  type Driver,
  type ForgeHook,
  type ForgeRepository,
  type ForgeSettings,
  type ForgeToken,
  type RepositoryRef,
} from '../driver.ts'
import { parseHook } from '../hooks/parse.ts'
import { verifyHook } from '../hooks/verify.ts'
import { netrcOf } from '../netrc.ts'
import { encodedPath, linksOf } from './links.ts'
import { isSameHook, type Names } from './shapes.ts'

/**
 * The git address of the forge for this server. GitHub's API has a separate host or path without
 * repositories.
 */
const gitAddress = ({ kind, url, apiUrl = url }: ForgeSettings): string => {
  if (kind !== 'github') return apiUrl
  return new URL(apiUrl).hostname.startsWith('api.') ? url : apiUrl.replace(/\/api\/v3$/, '')
}

const gitUrl = (address: string, { namespace, name }: Names): string =>
  `${address}/${encodedPath(`${namespace}/${name}`)}.git`

export const sharedParts = ({ kind, url, ...settings }: ForgeSettings) => ({
  kind,
  url,
  links: linksOf(kind, url),
  cloneUrl: (repo: Names): string => gitUrl(url, repo),
  fetchUrl: (repo: Names): string => gitUrl(gitAddress({ kind, url, ...settings }), repo),
  netrc: (token: ForgeToken) => netrcOf(kind, url, token),
  verifyHook: (...[headers, content, secret]: Parameters<Driver['verifyHook']>) =>
    verifyHook(kind, headers, content, secret),
  parseHook: (...[headers, payload]: Parameters<Driver['parseHook']>) => parseHook(kind, headers, payload),
})

/** The hooks of one repository, and what may be done with them. */
interface HookCalls {
  list(): Promise<ForgeHook[]>
  create(): Promise<ForgeHook>
  update(id: string): Promise<ForgeHook>
  remove(id: string): Promise<void>
}

/** Serializes calls for the same repository, so that two concurrent activations leave one hook. */
export function createSerialQueue() {
  const last = new Map<string, Promise<unknown>>()
  return async <Value>(id: string, run: () => Promise<Value>): Promise<Value> => {
    const before = last.get(id) ?? Promise.resolve()
    const current = before.then(run, run)
    last.set(id, current)
    try {
      return await current
    } finally {
      if (last.get(id) === current) last.delete(id)
    }
  }
}

/** A missing hook counts as removed. */
const removeQuietly = async (calls: Pick<HookCalls, 'remove'>, id: string): Promise<void> => {
  try {
    await calls.remove(id)
  } catch (error) {
    if (!(error instanceof ForgeError && error.failure === 'not-found')) throw error
  }
}

export async function installOne(calls: HookCalls, url: string): Promise<ForgeHook> {
  const [first, ...others] = (await calls.list()).filter((hook) => isSameHook(hook.url, url))
  const hook = first ? await calls.update(first.id) : await calls.create()
  for (const other of others) await removeQuietly(calls, other.id)
  return hook
}

/**
 * For forges whose API cannot change the secret of a hook: Gitea, Forgejo and Gogs ignore it, and
 * each delivery would be refused.
 */
export async function replaceAll(calls: Omit<HookCalls, 'update'>, url: string): Promise<ForgeHook> {
  const before = (await calls.list()).filter((hook) => isSameHook(hook.url, url))
  const hook = await calls.create()
  for (const old of before) await removeQuietly(calls, old.id)
  return hook
}

export async function removeAll(calls: Pick<HookCalls, 'list' | 'remove'>, url: string): Promise<void> {
  let hooks: ForgeHook[]
  try {
    hooks = await calls.list()
  } catch (error) {
    if (error instanceof ForgeError && error.failure === 'not-found') return
    throw error
  }
  for (const hook of hooks) if (isSameHook(hook.url, url)) await removeQuietly(calls, hook.id)
}

/**
 * The names that a repository has now, by its id: a call by the names that were known could reach
 * another repository, which took them over. Asked before each call.
 */
export async function currentNames(
  repo: RepositoryRef,
  find: { byName(): Promise<ForgeRepository | null>; byId(): Promise<ForgeRepository | null> },
): Promise<Names> {
  const named = await find.byName()
  const current = named?.id === repo.id ? named : await find.byId()
  if (!current)
    throw new ForgeError('not-found', 'The repository does not exist on the Git host, or this account cannot see it.', {
      status: 404,
    })
  return current
}
