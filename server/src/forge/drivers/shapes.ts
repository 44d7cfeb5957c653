/**
 * The fields that are used of forges' responses: each is checked, because responses are untrusted.
 */
import { ForgeError, type ForgeHook, type ForgeRepository, type ForgeUser, type RepositoryRef } from '../driver.ts'
import { isNamespace } from '../hooks/facts.ts'
import { Json } from '../hooks/json.ts'

export const unexpectedShape = (title: string, what: string): ForgeError =>
  new ForgeError('invalid', `${title} sent ${what} in an unknown format.`)

/** An answer that must be a list of objects. */
export const listOf = (title: string, data: unknown): Json[] => {
  if (!Array.isArray(data)) throw unexpectedShape(title, 'a list')
  return data.map((item) => new Json(item))
}

/** A user of Gitea, Forgejo, Gogs and GitHub; GitLab calls the login `username`. */
export const userOf = (title: string, data: unknown): ForgeUser => {
  const json = new Json(data)
  const id = json.id('id')
  const login = json.text('login') || json.text('username')
  if (!id || !/^[\w.-]{1,255}$/.test(login)) throw unexpectedShape(title, 'a user')
  return {
    id,
    login,
    name: json.line('full_name') || json.line('name'),
    email: json.text('email').includes('@') ? json.text('email') : '',
    avatar: json.url('avatar_url'),
    admin: json.flag('is_admin') || json.flag('site_admin'),
    external: json.flag('external') || json.flag('restricted'),
  }
}

/**
 * On Gitea, `internal` is a repository of a private organization, which only its members see; one
 * of a `limited` organization or person is shown to all who are signed in. GitHub's `internal` ones
 * belong to an enterprise, and are `private`, too.
 */
const visibilityOf = (json: Json): ForgeRepository['visibility'] => {
  const owner = json.at('owner').text('visibility')
  if (json.flag('private') || json.flag('internal') || owner === 'private') return 'private'
  const value = json.text('visibility')
  // Private unless the forge says otherwise.
  if (value !== 'public' && (value !== '' || json.raw('private') !== false)) return 'private'
  return owner === 'limited' ? 'internal' : 'public'
}

/** A repository of Gitea, Forgejo, Gogs and GitHub; `undefined` for what has no id or no names. */
export const repositoryOf = (json: Json): ForgeRepository | undefined => {
  const id = json.id('id')
  const owner = json.at('owner')
  const namespace = owner.text('login') || owner.text('username')
  const name = json.text('name')
  if (!id || !isNamespace(namespace) || namespace.includes('/') || !isNamespace(name) || name.includes('/'))
    return undefined
  const may = json.at('permissions')
  const admin = may.flag('admin')
  const write = admin || may.flag('push')
  return {
    id,
    namespaceId: owner.id('id'),
    namespace,
    name,
    visibility: visibilityOf(json),
    defaultBranch: json.text('default_branch'),
    archived: json.flag('archived'),
    link: json.url('html_url'),
    permissions: { read: write || may.flag('pull'), write, admin },
  }
}

/** The requested repository. A response with another one is refused. */
export const requireRepository = (title: string, data: unknown, id?: string): ForgeRepository => {
  const repository = repositoryOf(new Json(data))
  if (!repository) throw unexpectedShape(title, 'a repository')
  if (id !== undefined && repository.id !== id) throw unexpectedShape(title, 'another repository')
  return repository
}

/** A webhook of Gitea, Forgejo, Gogs and GitHub. */
export const hookOf = (json: Json): ForgeHook | undefined => {
  const id = json.id('id')
  const url = json.at('config').url('url') || json.url('url')
  return id && url ? { id, url, active: json.flag('active') } : undefined
}

/** Whether two addresses are the same hook. Drone's have a secret in the query. */
export const isSameHook = (one: string, other: string): boolean => {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other
  const [first, second] = [new URL(one), new URL(other)]
  return first.origin === second.origin && first.pathname === second.pathname
}

/** `null` for what is not there. */
export const orNull = async <Value>(call: Promise<Value>): Promise<Value | null> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ForgeError && error.failure === 'not-found') return null
    throw error
  }
}

/** A commit's full sha, which becomes a part of an address. */
export const checkedSha = (sha: string): string => {
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha)) throw new ForgeError('refused', 'A status needs a full sha.')
  return sha
}

/** Truncates a text to this many characters, with an ellipsis. */
export const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

export type Names = Pick<RepositoryRef, 'namespace' | 'name'>
