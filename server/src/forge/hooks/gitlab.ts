/**
 * Webhooks of GitLab: of a project, and the system hooks of a whole instance (docs.gitlab.com,
 * "Webhook events").
 */
import {
  noPerson,
  type ForgeEvent,
  type HookPerson,
  type HookRepository,
  type InvalidHook,
  type ParsedHook,
  type PullRequestAction,
  type PullRequestFacts,
} from '../events.ts'
import type { HookHeaders } from '../driver.ts'
import { branchName, fullRef, ignored, invalid, isNamespace, parseWith, refEvent } from './facts.ts'
import { isZeroSha, type Json } from './json.ts'

interface Facts {
  json: Json
  repository: HookRepository
}

/** The namespace holds slashes: all but the last part of the path. */
const splitPath = (path: string): { namespace: string; name: string } | undefined => {
  const at = path.lastIndexOf('/')
  return at > 0 && isNamespace(path) ? { namespace: path.slice(0, at), name: path.slice(at + 1) } : undefined
}

/** 0 is private, 10 internal, 20 public; old payloads have no level. */
const isPrivate = (project: Json): boolean => (project.number('visibility_level') ?? 20) < 20

const repositoryOf = (json: Json): HookRepository | undefined => {
  const project = json.at('project')
  const names = splitPath(project.text('path_with_namespace'))
  // The hooks of merge requests of old versions name only the target's id.
  const id = project.id('id') || json.id('project_id') || json.at('object_attributes').id('target_project_id')
  if (!names || !id) return undefined
  return {
    id,
    ...names,
    private: isPrivate(project),
    defaultBranch: project.text('default_branch'),
    link: project.url('web_url'),
    cloneUrl: project.url('git_http_url') || project.url('http_url'),
  }
}

/** The user who pushed, whom Drone treats as the author. */
const pusherOf = (json: Json): HookPerson => ({
  login: json.text('user_username'),
  name: json.line('user_name'),
  email: json.text('user_email'),
  avatar: json.url('user_avatar'),
  id: json.id('user_id'),
})

const userOf = (json: Json): HookPerson => ({
  login: json.text('username'),
  name: json.line('name'),
  // "[REDACTED]" where it is hidden.
  email: json.text('email').includes('@') ? json.text('email') : '',
  avatar: json.url('avatar_url'),
  id: json.id('id'),
})

const push =
  (prefix: 'refs/heads/' | 'refs/tags/') =>
  ({ json, repository }: Facts): ForgeEvent | InvalidHook => {
    const sender = pusherOf(json)
    const after = json.sha('after')
    // They are sent oldest first.
    const commits = json.list('commits')
    const commit = commits.find((one) => one.sha('id') === json.sha('checkout_sha')) ?? commits.at(-1)
    return refEvent({
      repository,
      sender,
      ref: fullRef(json.text('ref'), prefix),
      before: json.sha('before'),
      // An annotated tag has its own sha; the build uses its commit.
      after: isZeroSha(after) ? after : json.sha('checkout_sha') || after,
      message: commit?.long('message') ?? '',
      author: sender,
      link: commit?.url('url') ?? '',
    })
  }

/** An update of a label, a title or an assignee has no `oldrev`: nothing new to build. */
const actionOf = (attributes: Json, changes: Json): PullRequestAction | undefined => {
  switch (attributes.text('action')) {
    case 'open':
      return 'opened'
    case 'reopen':
      return 'reopened'
    case 'close':
    case 'merge':
      return 'closed'
    case 'update': {
      if (changes.has('target_branch')) return 'retargeted'
      const oldrev = attributes.sha('oldrev')
      return oldrev && oldrev !== attributes.at('last_commit').sha('id') ? 'synchronized' : undefined
    }
    default:
      return undefined
  }
}

const mergeRequest = ({ json, repository }: Facts): ForgeEvent | InvalidHook => {
  const attributes = json.at('object_attributes')
  const action = actionOf(attributes, json.at('changes'))
  if (!action) {
    const sentAction = attributes.text('action') || 'without an action'
    return ignored(`Nothing to build: merge request ${sentAction}, and no commit or target branch is new.`, repository)
  }
  const source = attributes.at('source')
  // Not `namespace`, which is a name for display: "Jane Doe".
  const path = source.text('path_with_namespace')
  const user = userOf(json.at('user'))
  const facts = mergeRequestOf(attributes, repository.id, {
    head: attributes.at('last_commit').sha('id'),
    sourceRepository: splitPath(path) ? path : '',
    sourceRepositoryId: attributes.id('source_project_id') || source.id('id'),
    link: attributes.url('url'),
    // The hook names only the acting user.
    author: user,
  })
  if (!facts) return invalid('The merge request has no number, target branch or commit.')
  const merged = attributes.text('state') === 'merged'
  return { kind: 'pull-request', action, repository, sender: user, ...facts, merged }
}

/** What webhooks and lists say differently. */
type MergeRequestSource = Pick<PullRequestFacts, 'head' | 'sourceRepository' | 'sourceRepositoryId' | 'link' | 'author'>

/** Undefined without a number, target branch or commit. */
const mergeRequestOf = (json: Json, projectId: string, source: MergeRequestSource): PullRequestFacts | undefined => {
  const number = json.count('iid')
  const target = branchName(json.text('target_branch'))
  if (!number || !target || !source.head) return undefined
  return {
    number,
    title: json.line('title'),
    body: json.long('description'),
    ref: `refs/merge-requests/${number}/head`,
    source: branchName(json.text('source_branch')),
    target,
    base: '',
    fork: source.sourceRepositoryId !== projectId,
    draft: json.flag('draft') || json.flag('work_in_progress'),
    ...source,
  }
}

/**
 * An entry of `GET /projects/:id/merge_requests`, which gives only the id of the source project.
 */
export const gitlabMergeRequestOf = (json: Json, projectId: string): PullRequestFacts | undefined =>
  mergeRequestOf(json, projectId, {
    head: json.sha('sha'),
    sourceRepository: '',
    sourceRepositoryId: json.id('source_project_id'),
    link: json.url('web_url'),
    author: userOf(json.at('author')),
  })

const deploymentNote = 'GitLab deploys with its own pipelines.'

/** What a system hook says of a project; its fields lie at the top. */
const projectChange = (json: Json, name: string): ForgeEvent | InvalidHook => {
  const names = splitPath(json.text('path_with_namespace'))
  const id = json.id('project_id')
  if (!names || !id) return invalid('The payload has no project.')
  const visibility = json.text('project_visibility')
  const repository: HookRepository = {
    id,
    ...names,
    private: visibility !== '' && visibility !== 'public' && visibility !== 'visibilitylevel|20',
    defaultBranch: json.text('default_branch'),
    link: '',
    cloneUrl: '',
  }
  const formerSlug = splitPath(json.text('old_path_with_namespace')) ? json.text('old_path_with_namespace') : ''
  const facts = { kind: 'repository', repository, sender: noPerson, formerSlug } as const
  switch (name) {
    case 'project_rename':
      return { ...facts, action: 'renamed' }
    case 'project_transfer':
      return { ...facts, action: 'transferred' }
    case 'project_destroy':
      return { ...facts, action: 'deleted' }
    case 'project_update':
      return { ...facts, action: repository.private ? 'privatized' : 'publicized' }
    default:
      return ignored(`Nothing to do: ${name}.`, repository)
  }
}

const readers: Record<string, (facts: Facts) => ForgeEvent | InvalidHook> = {
  push: push('refs/heads/'),
  tag_push: push('refs/tags/'),
  merge_request: mergeRequest,
}

const kindsOfHeaders: Record<string, string> = {
  'Push Hook': 'push',
  'Tag Push Hook': 'tag_push',
  'Merge Request Hook': 'merge_request',
}

const read = (json: Json, name: string): ForgeEvent | InvalidHook => {
  const kind = json.text('object_kind') || json.text('event_name')
  const isSystem = name === 'System Hook'
  if (isSystem && kind.startsWith('project_')) return projectChange(json, kind)
  const repository = repositoryOf(json)
  if (name === 'Deployment Hook') return ignored(deploymentNote, repository)
  const expected = isSystem ? kind : kindsOfHeaders[name]
  const reader = expected !== undefined && Object.hasOwn(readers, expected) ? readers[expected] : undefined
  if (!reader) return ignored(`Nothing to do: ${isSystem ? kind : name}.`, repository)
  if (expected !== kind) return invalid(`The header says ${name}, the body ${kind || 'nothing'}.`)
  if (!repository) return invalid('The payload has no project.')
  return reader({ json, repository })
}

export const parseGitlabHook = (headers: HookHeaders, body: Uint8Array): ParsedHook =>
  parseWith(
    body,
    {
      name: headers('x-gitlab-event') ?? '',
      delivery: headers('idempotency-key') ?? headers('x-gitlab-event-uuid') ?? '',
    },
    read,
  )
