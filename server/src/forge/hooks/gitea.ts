/** Webhooks of Gitea, Forgejo and Gogs, which have one origin and nearly one form. */
import type {
  ForgeEvent,
  HookPerson,
  HookRepository,
  InvalidHook,
  ParsedHook,
  PullRequestAction,
  PullRequestFacts,
} from '../events.ts'
import type { HookHeaders } from '../driver.ts'
import {
  accountOf,
  branchName,
  commitAuthorOf,
  firstHeader,
  fullRef,
  ignored,
  invalid,
  parseWith,
  pullRequestEvent,
  refEvent,
  repositoryOf,
} from './facts.ts'
import { isZeroSha, type Json } from './json.ts'

interface Facts {
  json: Json
  repository: HookRepository
  sender: HookPerson
}

/**
 * The commit that the branch has now: named as head, of that sha, or the first (they are sent
 * newest first).
 */
const newestCommit = (json: Json, after: string): Json => {
  const commits = json.list('commits')
  const head = json.at('head_commit')
  if (head.sha('id') === after) return head
  return commits.find((commit) => commit.sha('id') === after) ?? commits[0] ?? head
}

const push = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const after = json.sha('after')
  const commit = newestCommit(json, after)
  const pusher = accountOf(json.at('pusher'))
  const isTag = json.text('ref').startsWith('refs/tags/')
  const author = commit.has('author')
    ? commitAuthorOf(commit.at('author'), sender)
    : { ...pusher, avatar: sender.avatar }
  return refEvent({
    repository,
    sender,
    ref: json.text('ref'),
    before: json.sha('before'),
    // An annotated tag has its own sha; the build uses its commit.
    after: (isTag && !isZeroSha(after) && json.at('head_commit').sha('id')) || after,
    message: commit.long('message'),
    author,
    link: json.url('compare_url') || commit.url('url'),
  })
}

/** A new ref. A push reports most branches, with more details; and tags, except on Gogs. */
const create = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  if (json.text('ref_type') !== 'tag') {
    const branch = branchName(json.text('ref'))
    return branch ? { kind: 'branch-created', repository, sender, branch } : invalid('The payload has no branch.')
  }
  const ref = fullRef(json.text('ref'), 'refs/tags/')
  return refEvent({
    repository,
    sender,
    ref,
    before: '',
    after: isZeroSha(json.sha('sha')) ? '' : json.sha('sha'),
    message: '',
    author: sender,
    link: '',
  })
}

const deleted = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const kind = json.text('ref_type')
  if (kind === 'branch') {
    const branch = branchName(json.text('ref'))
    return branch ? { kind: 'branch-deleted', repository, sender, branch } : invalid('The payload has no branch.')
  }
  const tag = fullRef(json.text('ref'), 'refs/tags/').replace('refs/tags/', '')
  return kind === 'tag' && tag
    ? { kind: 'tag-deleted', repository, sender, tag }
    : invalid('The payload does not name the deleted ref.')
}

const actions: Record<string, PullRequestAction> = {
  opened: 'opened',
  synchronized: 'synchronized',
  synchronize: 'synchronized',
  reopened: 'reopened',
  closed: 'closed',
  merged: 'closed',
}

/** Titles and descriptions are edited too; the target branch is what matters (`changes.ref`). */
const actionOf = (json: Json): PullRequestAction | undefined => {
  const action = json.text('action')
  if (action === 'edited') return json.at('changes').has('ref') ? 'retargeted' : undefined
  return Object.hasOwn(actions, action) ? actions[action] : undefined
}

/** Gitea has `head` and `base`, Gogs `head_branch`, `head_repo` and no shas. */
const endOf = (pull: Json, end: 'head' | 'base') => {
  if (!pull.has(end)) {
    const repo = pull.at(`${end}_repo`)
    return { branch: branchName(pull.text(`${end}_branch`)), sha: '', repo, repoId: repo.id('id') }
  }
  const json = pull.at(end)
  return {
    branch: branchName(json.text('ref')),
    sha: json.sha('sha'),
    repo: json.at('repo'),
    repoId: json.at('repo').id('id') || json.id('repo_id'),
  }
}

/**
 * Whether the pull request was pushed to `refs/for/main` (AGit). The forge reports the repository
 * itself as the source, but every reader can push there, so the commits are as untrusted as those
 * of a fork.
 */
const isPushedForReview = (source: string): boolean => source.startsWith('refs/')

/**
 * Also of an entry of `GET /repos/{owner}/{repo}/pulls`. Undefined without a number or a target
 * branch.
 */
export const giteaPullOf = (pull: Json, repositoryId: string, fallbackNumber = 0): PullRequestFacts | undefined => {
  const number = pull.count('number') || fallbackNumber
  const head = endOf(pull, 'head')
  const base = endOf(pull, 'base')
  if (!number || !base.branch) return undefined
  return {
    number,
    title: pull.line('title'),
    body: pull.long('body'),
    ref: `refs/pull/${number}/head`,
    source: head.branch,
    target: base.branch,
    head: head.sha,
    base: base.sha,
    sourceRepository: head.repo.text('full_name'),
    sourceRepositoryId: head.repoId,
    fork: head.repoId !== repositoryId || isPushedForReview(head.branch),
    link: pull.url('html_url'),
    author: accountOf(pull.at('user')),
    draft: pull.flag('draft'),
  }
}

const pullRequest = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const action = actionOf(json)
  if (!action) return ignored(`Nothing to build: pull request ${json.text('action')}.`, repository)
  const pull = json.at('pull_request')
  const facts = giteaPullOf(pull, repository.id, json.count('number'))
  if (!facts) return invalid('The pull request has no number or no target branch.')
  return pullRequestEvent({ repository, sender }, action, facts, pull.flag('merged'))
}

/** Only system and organization hooks send it; no hook reports renames. */
const repositoryChange = ({ json, repository, sender }: Facts): ForgeEvent =>
  json.text('action') === 'deleted'
    ? { kind: 'repository', action: 'deleted', repository, sender, formerSlug: '' }
    : ignored(`Nothing to do: repository ${json.text('action')}.`, repository)

const readers: Record<string, (facts: Facts) => ForgeEvent | InvalidHook> = {
  push,
  create,
  delete: deleted,
  pull_request: pullRequest,
  // The same event, with the name that some versions use.
  pull_request_sync: pullRequest,
  repository: repositoryChange,
}

const read = (json: Json, name: string): ForgeEvent | InvalidHook => {
  const repository = repositoryOf(json.at('repository'))
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (!reader) return ignored(`Nothing to do: ${name}.`, repository)
  if (!repository) return invalid('The payload has no repository.')
  return reader({ json, repository, sender: accountOf(json.at('sender')) })
}

const headersOf = {
  gitea: { name: ['x-gitea-event'], delivery: ['x-gitea-delivery'] },
  forgejo: { name: ['x-forgejo-event', 'x-gitea-event'], delivery: ['x-forgejo-delivery', 'x-gitea-delivery'] },
  gogs: { name: ['x-gogs-event'], delivery: ['x-gogs-delivery'] },
}

export function parseGiteaHook(kind: keyof typeof headersOf, headers: HookHeaders, body: Uint8Array): ParsedHook {
  const { name, delivery } = headersOf[kind]
  return parseWith(body, { name: firstHeader(headers, name), delivery: firstHeader(headers, delivery) }, read)
}
