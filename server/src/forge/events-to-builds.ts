/** From a webhook's event to what the CI builds (docs/api §5.3). */
import type { Repo } from '@flightdeck/api'
import type { Hook } from '../interfaces/hook.ts'
import type { DeploymentEvent, HookPerson, PullRequestEvent, PushEvent, TagEvent } from './events.ts'

const trigger = '@hook'
/** A deleted fork, or one with a name that belongs to another repository. */
const unknownFork = 'unknown/fork'

/** The commit's author, with the avatar of the user who pushed: as in Drone. */
const authorOf = (author: HookPerson, sender: HookPerson): NonNullable<Hook['author']> => ({
  login: author.login,
  name: author.name,
  email: author.email,
  avatar: sender.avatar || author.avatar,
})

export function pushHook(event: PushEvent): Hook {
  return {
    event: 'push',
    trigger,
    sender: event.sender.login,
    ref: event.ref,
    source: event.branch,
    target: event.branch,
    before: event.before,
    after: event.after,
    message: event.message,
    link: event.link,
    author: authorOf(event.author, event.sender),
  }
}

export function tagHook(event: TagEvent): Hook {
  return {
    event: 'tag',
    action: 'create',
    trigger,
    sender: event.sender.login,
    ref: event.ref,
    // Branch conditions match the target; the tag replaces the branch if the forge reports none.
    source: event.branch || event.tag,
    target: event.branch || event.tag,
    before: event.before,
    after: event.after,
    message: event.message,
    link: event.link,
    author: authorOf(event.author, event.sender),
  }
}

/** Drone knows two actions; the others are called as what they mean for a build. */
const actions = {
  opened: 'opened',
  reopened: 'opened',
  synchronized: 'synchronized',
  retargeted: 'synchronized',
} as const

/** `head`: the commit as the mirror has it, where the event does not say. */
export function pullRequestHook(event: PullRequestEvent, repo: Repo, head: string, base: string): Hook {
  // By id, never by name: the name of a fork may be any.
  const isOwnName = event.sourceRepository.toLowerCase() === repo.slug.toLowerCase()
  const sourceRepo = event.fork
    ? isOwnName || event.sourceRepository === ''
      ? unknownFork
      : event.sourceRepository
    : repo.slug
  return {
    event: 'pull_request',
    action: event.action === 'closed' ? 'closed' : actions[event.action],
    trigger,
    sender: event.sender.login,
    ref: event.ref,
    source: event.source,
    target: event.target,
    before: event.base || base,
    after: head,
    title: event.title,
    message: event.body || event.title,
    link: event.link,
    sourceRepo,
    author: authorOf(event.author, event.author),
  }
}

/**
 * The commit that a merge queue tests before it becomes the head of `target`. It runs the pipelines
 * of pull requests, whose checks the queue waits for.
 */
export const mergeQueueHook = (event: PushEvent, repo: Repo, target: string, base: string): Hook => ({
  ...pushHook(event),
  event: 'pull_request',
  action: 'opened',
  target,
  before: base,
  title: event.message.split('\n', 1)[0] ?? '',
  sourceRepo: repo.slug,
})

/** `ref`: the full ref of the branch or tag as the mirror has it; `''` for a commit alone. */
export function deploymentHook(event: DeploymentEvent, repo: Repo, ref: string): Hook {
  const branch = ref === '' ? repo.default_branch : event.name
  return {
    event: 'promote',
    trigger,
    sender: event.sender.login,
    ref: ref || event.after,
    source: branch,
    target: branch,
    before: '',
    after: event.after,
    message: event.description,
    link: event.link,
    params: event.params,
    deployTo: event.target,
    ...(/^[1-9]\d{0,14}$/.test(event.id) && { deployId: Number(event.id) }),
    author: authorOf(event.sender, event.sender),
  }
}
