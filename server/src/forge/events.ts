/**
 * What a webhook of a forge says, in one form for all forges. A driver's `parseHook` makes these;
 * nothing here is verified yet: the caller finds the repository by its id, takes that repository's
 * secret and asks `verifyHook`.
 */

/**
 * The repository of an event. The id is its identity; names and addresses can be outdated, or
 * belong to another repository now.
 */
export interface HookRepository {
  /** The forge's own id as text; never `''`. */
  id: string
  /** Owner, organisation, or on GitLab the full path of the group: `group/sub`. */
  namespace: string
  name: string
  /**
   * Signed-out people may not read it (GitLab's and Gitea's `internal` too). Believe only `true`
   * before the forge is asked.
   */
  private: boolean
  /** `''` where the hook does not say. */
  defaultBranch: string
  /** The forge's page of the repository, `''` where the hook does not say. */
  link: string
  /** As the hook says it: never use it with a token, `Driver.cloneUrl` is the address for that. */
  cloneUrl: string
}

/** A person as a hook names them. Fields that the hook leaves out are `''`. */
export interface HookPerson {
  login: string
  name: string
  email: string
  /** Address of a picture; only ever `http:` or `https:`. */
  avatar: string
  /** The forge's id of the account, where the hook says it. */
  id: string
}

/** Where a hook names no person. */
export const noPerson: HookPerson = { login: '', name: '', email: '', avatar: '', id: '' }

interface WithRepository {
  repository: HookRepository
  sender: HookPerson
}

interface WithCommit extends WithRepository {
  /** `refs/heads/main`, `refs/tags/v1`. */
  ref: string
  /** The sha before; forty zeros for what is new, `''` where the forge does not say. */
  before: string
  after: string
  /** Of the newest commit, `''` where the hook does not say (then git does). */
  message: string
  /** Of the newest commit. */
  author: HookPerson
  /** Compare page of a push; commit page where there is nothing to compare with. */
  link: string
}

/** Commits arrived on a branch, also on a new one. */
export interface PushEvent extends WithCommit {
  kind: 'push'
  branch: string
}

/**
 * A tag was created or moved. Gitea, Forgejo and GitHub can report a new tag twice (`create` and
 * `push`), and only one of the two may have its commit: build once for each repository, ref and
 * commit, with the commit that the mirror has.
 */
export interface TagEvent extends WithCommit {
  kind: 'tag'
  tag: string
  /** The branch it was made from, `''` where the forge does not say. */
  branch: string
}

/**
 * A push reports the same branch, except at Gitea and Forgejo for a renamed one, and for some that
 * their pages create.
 */
export interface BranchCreatedEvent extends WithRepository {
  kind: 'branch-created'
  branch: string
}

export interface BranchDeletedEvent extends WithRepository {
  kind: 'branch-deleted'
  branch: string
}

export interface TagDeletedEvent extends WithRepository {
  kind: 'tag-deleted'
  tag: string
}

/** What a forge says of a pull request, in a webhook or in a list. */
export interface PullRequestFacts {
  /** The number that people see; on GitLab the `iid`. */
  number: number
  title: string
  body: string
  /** `refs/pull/N/head`, on GitLab `refs/merge-requests/N/head`. */
  ref: string
  /** Branch names, without `refs/heads/`. */
  source: string
  target: string
  /**
   * Head of the source branch; `''` where the forge does not say (Gogs): read it from the mirror.
   */
  head: string
  /** Head of the target branch as the forge knew it, `''` where it does not say. */
  base: string
  /** `owner/name` of the repository that the head lies in; of a fork that was deleted `''`. */
  sourceRepository: string
  /** The id of that repository, `''` where the forge does not say. */
  sourceRepositoryId: string
  /**
   * By id, never by name alone. If the forge does not report the owner of the head, it counts as a
   * fork.
   */
  fork: boolean
  link: string
  author: HookPerson
  draft: boolean
}

/**
 * `opened`, `synchronized`, `reopened` and `retargeted` (another target branch) start a build;
 * `closed` cancels what waits. Titles, labels, assignees, reviews and drafts made ready are
 * `ignored`.
 */
export type PullRequestAction = 'opened' | 'synchronized' | 'reopened' | 'retargeted' | 'closed'

export interface PullRequestEvent extends WithRepository, PullRequestFacts {
  kind: 'pull-request'
  action: PullRequestAction
  merged: boolean
}

/** GitHub only: a user requests a deployment. It becomes a promotion. */
export interface DeploymentEvent extends WithRepository {
  kind: 'deployment'
  /** The forge's id of the deployment, for its status. */
  id: string
  /** The environment: `production`. */
  target: string
  /**
   * The full ref, `''` for a commit. The forge sends only a name: a name that looks like a version
   * is treated as a tag, as in Drone; check the mirror for which of the two exists.
   */
  ref: string
  /** The branch or tag as it was asked for, `''` for a commit. */
  name: string
  after: string
  task: string
  description: string
  link: string
  /**
   * The payload's top level; values that are not text are written as JSON. At most 100 entries of
   * 4,096 characters.
   */
  params: Record<string, string>
}

/** The forge tries the hook. */
export interface PingEvent {
  kind: 'ping'
  repository?: HookRepository
}

/** The repository itself changed. `repository` is what it is now. */
export interface RepositoryEvent extends WithRepository {
  kind: 'repository'
  action: 'renamed' | 'transferred' | 'privatized' | 'publicized' | 'archived' | 'unarchived' | 'deleted'
  /** The slug it had, `''` where the forge does not say. */
  formerSlug: string
}

/**
 * Nothing to do. The reason is one sentence for the server's log and for the user who tests the
 * hook.
 */
export interface IgnoredEvent {
  kind: 'ignored'
  reason: string
  repository?: HookRepository
}

/** What cannot be read: no JSON, wrong shapes, an unknown header. Answered with 400. */
export interface InvalidHook {
  kind: 'invalid'
  reason: string
}

/** The events of a repository that a hook's secret proves. */
export type ForgeEvent =
  | PushEvent
  | TagEvent
  | BranchCreatedEvent
  | BranchDeletedEvent
  | TagDeletedEvent
  | PullRequestEvent
  | DeploymentEvent
  | RepositoryEvent
  | PingEvent
  | IgnoredEvent

/** A hook as it was read. */
export interface ParsedHook {
  event: ForgeEvent | InvalidHook
  /**
   * The forge's id of this delivery, or `''`. A redelivery has the same id on GitHub and another
   * one on Gitea, and no signature covers it, so use it only for the log. Compare ref and shas to
   * recognize a repeated event.
   */
  delivery: string
  /** The event's name as its header says it, for the log; at most 100 characters. */
  name: string
}
