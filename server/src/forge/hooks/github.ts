/** Webhooks of GitHub (docs.github.com, "Webhook events and payloads"). */
import type {
  DeploymentEvent,
  ForgeEvent,
  HookPerson,
  HookRepository,
  InvalidHook,
  ParsedHook,
  PullRequestAction,
  PullRequestFacts,
  RepositoryEvent,
} from '../events.ts'
import type { HookHeaders } from '../driver.ts'
import {
  accountOf,
  branchName,
  commitAuthorOf,
  fullRef,
  ignored,
  invalid,
  parseWith,
  pullRequestEvent,
  refEvent,
  repositoryOf,
} from './facts.ts'
import { isZeroSha, Json } from './json.ts'

interface Facts {
  json: Json
  repository: HookRepository
  sender: HookPerson
}

const push = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const head = json.at('head_commit')
  const ref = json.text('ref')
  const after = json.flag('deleted') ? '0'.repeat(40) : json.sha('after')
  return refEvent({
    repository,
    sender,
    ref,
    before: json.sha('before'),
    // An annotated tag has its own sha; the build uses its commit.
    after: (ref.startsWith('refs/tags/') && !isZeroSha(after) && head.sha('id')) || after,
    message: head.long('message'),
    author: commitAuthorOf(head.at('author'), sender),
    link: json.url('compare') || head.url('url'),
    branch: branchName(json.text('base_ref')),
  })
}

/**
 * A push reports it as well, with more details. With this event alone, the tag's commit is unknown.
 */
const create = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  if (json.text('ref_type') !== 'tag') return ignored('A new branch is reported by its push event.', repository)
  const ref = fullRef(json.text('ref'), 'refs/tags/')
  return refEvent({ repository, sender, ref, before: '', after: '', message: '', author: sender, link: '' })
}

const deleted = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const kind = json.text('ref_type')
  const branch = branchName(json.text('ref'))
  const tag = fullRef(json.text('ref'), 'refs/tags/').replace('refs/tags/', '')
  if (kind === 'branch' && branch) return { kind: 'branch-deleted', repository, sender, branch }
  if (kind === 'tag' && tag) return { kind: 'tag-deleted', repository, sender, tag }
  return invalid('The payload does not name the deleted ref.')
}

const actions: Record<string, PullRequestAction> = {
  opened: 'opened',
  synchronize: 'synchronized',
  reopened: 'reopened',
  closed: 'closed',
}

/** Titles and descriptions are edited too; the target branch is what matters (`changes.base`). */
const actionOf = (json: Json): PullRequestAction | undefined => {
  const action = json.text('action')
  if (action === 'edited') return json.at('changes').has('base') ? 'retargeted' : undefined
  return Object.hasOwn(actions, action) ? actions[action] : undefined
}

/**
 * Also of an entry of `GET /repos/{owner}/{repo}/pulls`. Undefined without a number, a target
 * branch or a head.
 */
export const githubPullOf = (pull: Json, repositoryId: string, fallbackNumber = 0): PullRequestFacts | undefined => {
  const number = pull.count('number') || fallbackNumber
  const head = pull.at('head')
  const target = branchName(pull.at('base').text('ref'))
  if (!number || !target || !head.sha('sha')) return undefined
  // The repository of a head is null once its fork was deleted.
  const sourceId = head.at('repo').id('id')
  return {
    number,
    title: pull.line('title'),
    body: pull.long('body'),
    ref: `refs/pull/${number}/head`,
    source: branchName(head.text('ref')),
    target,
    head: head.sha('sha'),
    base: pull.at('base').sha('sha'),
    sourceRepository: head.at('repo').text('full_name'),
    sourceRepositoryId: sourceId,
    fork: sourceId !== repositoryId,
    link: pull.url('html_url'),
    author: accountOf(pull.at('user')),
    draft: pull.flag('draft'),
  }
}

const pullRequest = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const action = actionOf(json)
  if (!action) return ignored(`Nothing to build: pull request ${json.text('action')}.`, repository)
  const pull = json.at('pull_request')
  const facts = githubPullOf(pull, repository.id, json.count('number'))
  if (!facts) return invalid('The pull request has no number, target branch or head.')
  return pullRequestEvent({ repository, sender }, action, facts, pull.flag('merged'))
}

/** As parameters of a promotion. The payload may be JSON in a text. */
const paramsOf = (payload: unknown): Record<string, string> => {
  let value = payload
  if (typeof payload === 'string') {
    try {
      value = JSON.parse(payload.slice(0, 65_536)) as unknown
    } catch {
      return {}
    }
  }
  const params: [string, string][] = []
  for (const [name, field] of new Json(value).entries()) {
    if (params.length === 100) break
    // What `JSON.parse` makes has a text for every value.
    const text = typeof field === 'string' ? field : JSON.stringify(field)
    if (/^[\w.-]{1,255}$/.test(name) && text.length <= 4_096) params.push([name, text])
  }
  return Object.fromEntries(params)
}

/** Names that look like a version are tags, as in Drone. */
const versionLike = /^v?\d+\.\d+/i

/** A deployment may name a branch, a tag or a commit, without saying which. */
const deployedRef = (ref: string, sha: string): string => {
  if (!ref || ref === sha) return ''
  return fullRef(ref, versionLike.test(ref) ? 'refs/tags/' : 'refs/heads/')
}

const deployment = ({ json, repository, sender }: Facts): ForgeEvent | InvalidHook => {
  const action = json.text('action')
  if (action && action !== 'created') return ignored(`Nothing to do: deployment ${action}.`, repository)
  const facts = json.at('deployment')
  const after = facts.sha('sha')
  const id = facts.id('id')
  if (!id || !after) return invalid('The deployment has no id or no sha.')
  const ref = facts.text('ref')
  const event: DeploymentEvent = {
    kind: 'deployment',
    repository,
    sender,
    id,
    target: facts.text('environment'),
    ref: deployedRef(ref, after),
    name: ref === after ? '' : ref.replace(/^refs\/(?:heads|tags)\//, ''),
    after,
    task: facts.text('task'),
    description: facts.long('description'),
    link: facts.url('environment_url'),
    params: paramsOf(facts.raw('payload')),
  }
  return event
}

const repositoryActions = new Set<string>([
  'renamed',
  'transferred',
  'privatized',
  'publicized',
  'archived',
  'unarchived',
  'deleted',
])
const isRepositoryAction = (action: string): action is RepositoryEvent['action'] => repositoryActions.has(action)

const formerSlugOf = (json: Json, { namespace, name }: HookRepository): string => {
  const changes = json.at('changes')
  const formerName = changes.at('repository').at('name').text('from')
  const owner = changes.at('owner').at('from')
  const formerOwner = owner.at('user').text('login') || owner.at('organization').text('login')
  if (formerName) return `${namespace}/${formerName}`
  return formerOwner ? `${formerOwner}/${name}` : ''
}

const repositoryChange = ({ json, repository, sender }: Facts): ForgeEvent => {
  const action = json.text('action')
  if (!isRepositoryAction(action)) return ignored(`Nothing to do: repository ${action}.`, repository)
  return { kind: 'repository', action, repository, sender, formerSlug: formerSlugOf(json, repository) }
}

/** The event about the repository itself, which GitHub sends in addition to `repository`. */
const madePublic = ({ repository, sender }: Facts): ForgeEvent => ({
  kind: 'repository',
  action: 'publicized',
  repository,
  sender,
  formerSlug: '',
})

const readers: Record<string, (facts: Facts) => ForgeEvent | InvalidHook> = {
  push,
  create,
  delete: deleted,
  pull_request: pullRequest,
  deployment,
  repository: repositoryChange,
  public: madePublic,
}

const read = (json: Json, name: string): ForgeEvent | InvalidHook => {
  const repository = repositoryOf(json.at('repository'))
  if (name === 'ping') return { kind: 'ping', ...(repository && { repository }) }
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (!reader) return ignored(`Nothing to do: ${name}.`, repository)
  if (!repository) return invalid('The payload has no repository.')
  return reader({ json, repository, sender: accountOf(json.at('sender')) })
}

export const parseGithubHook = (headers: HookHeaders, body: Uint8Array): ParsedHook =>
  parseWith(body, { name: headers('x-github-event') ?? '', delivery: headers('x-github-delivery') ?? '' }, read)
