/**
 * The interface to a forge. One driver per kind of forge; a driver stores no secrets, and no state
 * except caches.
 */
import type { ParsedHook, PullRequestFacts } from './events.ts'

export type ForgeKind = 'gitea' | 'forgejo' | 'gogs' | 'github' | 'gitlab'

/**
 * How a forge is reached. All addresses are without a slash at the end and may have a path:
 * `https://example.com/git`.
 */
export interface ForgeSettings {
  kind: ForgeKind
  /** The address for people and runners: sign-in, links, clone addresses. */
  url: string
  /** The address for this server's own calls, if it differs. */
  apiUrl?: string
  /** Of the OAuth application; missing for Gogs. */
  clientId?: string
  clientSecret?: string
  /** OAuth scopes that replace the driver's own. */
  scope?: string
}

/** A person's credential for the forge. Kept encrypted; never in a URL, a log or a command line. */
export interface ForgeToken {
  access: string
  /**
   * Missing: it cannot be refreshed. It is invalid after use: save the new token before anything
   * else, one refresh at a time.
   */
  refresh?: string
  /** Unix milliseconds; missing: it does not end. */
  expiresAtMs?: number
  /** How long it is valid from its issue, in milliseconds; missing: unknown. */
  lifeMs?: number
}

/**
 * Why a call failed.
 *
 * - `unauthorized`: 401, the token is no longer valid; refresh it, or else have the user sign in.
 * - `forbidden`: 403, the user lacks the right. `not-found`: 404, deleted or hidden. After any of
 *   the three, request the rights again.
 * - `rate-limited`: not before `retryAfterMs`.
 * - `unavailable`: a timeout, a network failure, or 5xx; worth a retry.
 * - `refused`: another 4xx; a retry will not help.
 * - `invalid`: the response has a wrong shape, is too large, or redirects to another host.
 */
export type ForgeFailure =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'unavailable'
  | 'refused'
  | 'invalid'

/** A failed call. The message is one sentence without secrets: `Gitea refused the token (401).` */
export class ForgeError extends Error {
  readonly failure: ForgeFailure
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(failure: ForgeFailure, message: string, more: { status?: number; retryAfterMs?: number } = {}) {
    super(message)
    this.name = 'ForgeError'
    this.failure = failure
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
  }
}

export interface ForgeUser {
  /** The forge's own id as text: the identity. */
  id: string
  /** Can change, and can belong to another user later. */
  login: string
  name: string
  /** `''` if it is hidden. */
  email: string
  avatar: string
  /** An administrator of the forge, where it says so. */
  admin: boolean
  /**
   * Whether the user sees only repositories with explicit access: external users of GitLab,
   * restricted users of Gitea and Forgejo.
   */
  external: boolean
}

/** A repository for a call. Drivers use its id, even if it was renamed. */
export interface RepositoryRef {
  id: string
  namespace: string
  name: string
}

export interface ForgeRepository extends RepositoryRef {
  /** The forge's own id of the owner or group, `''` where it does not say. */
  namespaceId: string
  /**
   * All signed-in users of the forge can read `internal` ones; for everyone else they are
   * `private`.
   */
  visibility: 'public' | 'internal' | 'private'
  /** `''` for an empty repository on some forges. */
  defaultBranch: string
  archived: boolean
  link: string
  /** The rights of the token's user. */
  permissions: { read: boolean; write: boolean; admin: boolean }
}

/** Some of a person's repositories. */
export interface RepositoryPage {
  repositories: ForgeRepository[]
  /** How many there are, where the forge says so: for the progress of a sync. */
  total?: number
}

export interface ForgeHook {
  id: string
  /** Where it is sent to. */
  url: string
  active: boolean
}

/** The states of commit statuses; each driver maps them to those of its forge. */
export type StatusState =
  | 'pending'
  | 'blocked'
  | 'running'
  | 'success'
  | 'failure'
  | 'error'
  | 'killed'
  | 'skipped'
  | 'declined'

export interface CommitStatus {
  state: StatusState
  /** `continuous-integration/drone/push`. */
  context: string
  /** Cut to what the forge takes. */
  description: string
  /** The build's page. */
  url: string
  /** The ref that was built; GitLab needs the branch or tag in addition to the sha. */
  ref?: string
}

export interface DeploymentStatus {
  state: StatusState
  environment: string
  description: string
  url: string
}

export interface Netrc {
  machine: string
  login: string
  password: string
}

/** Sign-in at the forge's own pages (authorization code with state and PKCE). */
export interface OAuthSignIn {
  kind: 'oauth'
  /**
   * The URL for the browser. `challenge` is the S256 challenge of the verifier; forges without PKCE
   * ignore it.
   */
  authorizeUrl(request: { state: string; redirectUri: string; challenge: string }): string
  exchange(answer: { code: string; redirectUri: string; verifier: string }, signal?: AbortSignal): Promise<ForgeToken>
  /** Throws `unauthorized` when the refresh token is dead. */
  refresh(refreshToken: string, signal?: AbortSignal): Promise<ForgeToken>
}

/**
 * Sign-in with our own form (Gogs): exchanges name and password for a token, and does not store
 * them.
 */
export interface PasswordSignIn {
  kind: 'password'
  /**
   * `tokenName` names the token at the forge. A token of this name is reused, or one with a number
   * appended is created. `known` is a token that this person had before: it is used while it is
   * valid, so that tokens do not accumulate. Throws `unauthorized`.
   */
  signIn(
    person: { login: string; password: string; tokenName: string; known?: ForgeToken },
    signal?: AbortSignal,
  ): Promise<ForgeToken>
}

/** The forge's own pages. `repo` is `namespace/name`; every part is encoded. */
export interface ForgeLinks {
  repository(repo: string): string
  commit(repo: string, sha: string): string
  branch(repo: string, branch: string): string
  tag(repo: string, tag: string): string
  /** A file at a commit; `line` counts from 1. */
  file(repo: string, sha: string, path: string, line?: number): string
  compare(repo: string, before: string, after: string): string
  pullRequest(repo: string, number: number): string
  author(login: string): string
}

/** Open pull requests of one repository. A list of so many may lack some. */
export const maxPullRequests = 2_000

/** A header's value by its name in lower case. */
export type HookHeaders = (name: string) => string | undefined

/** What a hook carries. */
export interface HookContent {
  /** As it was sent. */
  body: Uint8Array
  /** The JSON text in it: of a form, its field. */
  payload: Uint8Array
}

/** All calls end in time and throw only `ForgeError`; `signal` ends them early. */
export interface Driver {
  readonly kind: ForgeKind
  /** For texts: `GitLab`. */
  readonly title: string
  /** The forge's address for people. */
  readonly url: string
  readonly signIn: OAuthSignIn | PasswordSignIn
  readonly links: ForgeLinks

  currentUser(token: ForgeToken, signal?: AbortSignal): Promise<ForgeUser>
  /**
   * The logins (on GitLab full paths) of organisations and groups that the person is a member of.
   * At most 10,000.
   */
  organizations(token: ForgeToken, signal?: AbortSignal): Promise<string[]>
  /**
   * All repositories that the person may read as owner, member or collaborator, page by page; at
   * most 100,000.
   */
  repositories(token: ForgeToken, signal?: AbortSignal): AsyncIterable<RepositoryPage>
  /**
   * `null`: deleted, or the user lacks access. On Gogs it is searched for among the user's
   * repositories.
   */
  repositoryById(token: ForgeToken, id: string, signal?: AbortSignal): Promise<ForgeRepository | null>
  /**
   * Follows no redirect of an old name: the answer has the names that it has now. `null` as above.
   */
  repositoryByName(
    token: ForgeToken,
    repo: { namespace: string; name: string },
    signal?: AbortSignal,
  ): Promise<ForgeRepository | null>

  listHooks(token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal): Promise<ForgeHook[]>
  /**
   * Installs the hook, or sets this secret in the existing one for the same address; duplicates are
   * removed.
   */
  installHook(
    token: ForgeToken,
    repo: RepositoryRef,
    hook: { url: string; secret: string },
    signal?: AbortSignal,
  ): Promise<ForgeHook>
  /** Removes every hook for `url`; missing hooks or a deleted repository are no failure. */
  removeHook(token: ForgeToken, repo: RepositoryRef, url: string, signal?: AbortSignal): Promise<void>
  /** What to copy by hand where a hook cannot be installed. */
  readonly hookByHand: { contentType: string; events: readonly string[]; page(repo: string): string }

  /**
   * All open pull requests, at most `maxPullRequests`. Missing where the forge has no list of them
   * (Gogs).
   */
  openPullRequests?(token: ForgeToken, repo: RepositoryRef, signal?: AbortSignal): Promise<PullRequestFacts[]>

  /**
   * The branch into which a merge queue merges this one; undefined for every other branch. Missing
   * where the forge has no merge queues.
   */
  mergeQueueTarget?(branch: string): string | undefined

  /**
   * Sets a status. Setting the same state again is not an error. Does nothing if the forge has no
   * statuses (Gogs).
   */
  setStatus(
    token: ForgeToken,
    repo: RepositoryRef,
    sha: string,
    status: CommitStatus,
    signal?: AbortSignal,
  ): Promise<void>
  readonly hasStatuses: boolean
  /** Missing where the forge has no deployments. */
  setDeploymentStatus?(
    token: ForgeToken,
    repo: RepositoryRef,
    deployment: string,
    status: DeploymentStatus,
    signal?: AbortSignal,
  ): Promise<void>

  /**
   * For people and runners. Made of the forge's own address, never of what an answer or a hook
   * says.
   */
  cloneUrl(repo: { namespace: string; name: string }): string
  /** The same for this server, which may use another address for the forge. */
  fetchUrl(repo: { namespace: string; name: string }): string
  /** For git on HTTP, as the forge wants it. */
  netrc(token: ForgeToken): Netrc

  /** In constant time. False for an empty secret, a missing, malformed or wrong signature. */
  verifyHook(headers: HookHeaders, content: HookContent, secret: string): boolean
  /** Never throws and does no I/O. The receiver limits what parsing `payload` costs. */
  parseHook(headers: HookHeaders, payload: Uint8Array): ParsedHook
}
