/** What the payloads of several forges share. */
import {
  noPerson,
  type BranchDeletedEvent,
  type ForgeEvent,
  type HookPerson,
  type HookRepository,
  type InvalidHook,
  type ParsedHook,
  type PullRequestAction,
  type PullRequestEvent,
  type PullRequestFacts,
  type PushEvent,
  type TagDeletedEvent,
  type TagEvent,
} from '../events.ts'
import type { HookHeaders } from '../driver.ts'
import { isZeroSha, readBody, type Json } from './json.ts'

export const invalid = (reason: string): InvalidHook => ({ kind: 'invalid', reason })

export const ignored = (reason: string, repository?: HookRepository): ForgeEvent => ({
  kind: 'ignored',
  reason,
  ...(repository && { repository }),
})

/** An account as Gitea, Forgejo, Gogs and GitHub write it. */
export const accountOf = (json: Json): HookPerson => ({
  login: json.text('login') || json.text('username'),
  name: json.line('full_name') || json.line('name'),
  email: json.text('email'),
  avatar: json.url('avatar_url'),
  id: json.id('id'),
})

/**
 * The author of a commit as Gitea, Forgejo, Gogs and GitHub write it. They have no picture: Drone
 * takes the sender's.
 */
export const commitAuthorOf = (json: Json, sender: HookPerson): HookPerson => ({
  ...noPerson,
  login: json.text('username'),
  name: json.line('name'),
  email: json.text('email'),
  avatar: sender.avatar,
})

/** A name of a repository or of one part of its namespace that is valid in an address. */
const isName = (name: string): boolean => /^[\w.-]{1,255}$/.test(name) && name !== '.' && name !== '..'

/** `group/sub`, also of more parts. */
export const isNamespace = (namespace: string): boolean =>
  namespace.length <= 1_000 && namespace.split('/').every((part) => isName(part))

/**
 * A repository as Gitea, Forgejo, Gogs and GitHub write it; undefined without an id or with names
 * that are none.
 */
export const repositoryOf = (json: Json): HookRepository | undefined => {
  const id = json.id('id')
  const owner = json.at('owner')
  const namespace = owner.text('login') || owner.text('username') || owner.text('name')
  const name = json.text('name')
  if (!id || !isName(namespace) || !isName(name)) return undefined
  return {
    id,
    namespace,
    name,
    private: json.flag('private') || json.flag('internal') || /^(limited|private)$/.test(owner.text('visibility')),
    defaultBranch: json.text('default_branch'),
    link: json.url('html_url'),
    cloneUrl: json.url('clone_url'),
  }
}

/** The full ref of `main` or `refs/heads/main`; `''` for what git would not take as a name. */
export const fullRef = (ref: string, prefix: 'refs/heads/' | 'refs/tags/'): string => {
  const full = ref.startsWith('refs/') ? ref : `${prefix}${ref}`
  return isRef(full) ? full : ''
}

/** Is it a full ref that git takes (git-check-ref-format)? */
export const isRef = (ref: string): boolean =>
  ref.startsWith('refs/') &&
  ref.length <= 1_024 &&
  !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/u.test(ref)

/** A branch's name without a prefix; `''` for what is none. */
export const branchName = (ref: string): string => fullRef(ref, 'refs/heads/').replace(/^refs\/heads\//, '')

/**
 * The event of a pull request on Gitea, Forgejo, Gogs and GitHub. An author without a picture gets
 * the sender's.
 */
export const pullRequestEvent = (
  { repository, sender }: Pick<PullRequestEvent, 'repository' | 'sender'>,
  action: PullRequestAction,
  facts: PullRequestFacts,
  merged: boolean,
): PullRequestEvent => {
  const author = { ...facts.author, avatar: facts.author.avatar || sender.avatar }
  return { kind: 'pull-request', action, repository, sender, ...facts, author, merged }
}

interface RefChange {
  repository: HookRepository
  sender: HookPerson
  ref: string
  before: string
  after: string
  message: string
  author: HookPerson
  link: string
  /** Of a tag, where the forge says it. */
  branch?: string
}

/** The event of a changed ref, which forges report as a push. */
export const refEvent = (
  change: RefChange,
): PushEvent | TagEvent | BranchDeletedEvent | TagDeletedEvent | InvalidHook | ForgeEvent => {
  const { repository, sender, ref } = change
  const facts = {
    repository,
    sender,
    ref,
    before: change.before,
    after: change.after,
    message: change.message,
    author: change.author,
    link: change.link,
  }
  const isDeleted = isZeroSha(change.after)
  if (!isRef(ref)) return invalid('The payload has no valid ref.')
  if (ref.startsWith('refs/heads/')) {
    const branch = ref.slice('refs/heads/'.length)
    if (isDeleted) return { kind: 'branch-deleted', repository, sender, branch }
    if (!change.after) return invalid('The push has no sha.')
    return { kind: 'push', ...facts, branch }
  }
  if (ref.startsWith('refs/tags/')) {
    const tag = ref.slice('refs/tags/'.length)
    if (isDeleted) return { kind: 'tag-deleted', repository, sender, tag }
    return { kind: 'tag', ...facts, tag, branch: change.branch ?? '' }
  }
  return ignored(`${ref} is neither a branch nor a tag.`, repository)
}

/** A hook whose event is in a header and whose payload is a JSON body. */
export const parseWith = (
  body: Uint8Array,
  event: { name: string; delivery: string },
  read: (json: Json, name: string) => ForgeEvent | InvalidHook,
): ParsedHook => {
  const name = event.name.slice(0, 100)
  const delivery = event.delivery.slice(0, 100)
  if (!name) return { name, delivery, event: invalid('No header names the event.') }
  const json = readBody(body)
  return { name, delivery, event: typeof json === 'string' ? invalid(json) : read(json, name) }
}

/** The first of these headers that is there. */
export const firstHeader = (headers: HookHeaders, names: readonly string[]): string => {
  for (const name of names) {
    const value = headers(name)
    if (value) return value
  }
  return ''
}
