/** The forge for routes: sign-in, webhooks, and the connection of repositories. */
import type { Repo, User } from '@flightdeck/api'

/** A forge user who can sign in, or a message for the user that explains why not. */
export type SignedIn = { user: User; isNew: boolean } | { refused: string }

export interface HookAnswer {
  status: number
  message: string
}

/** The connection of a repository, for its settings page. */
export interface RepoConnection {
  /** `Gitea`. */
  forge: string
  /** Its page at the forge. */
  link: string
  hook: {
    /** `manual`: it could not be installed; `error` says why, and `manual` what to copy. */
    state: 'none' | 'installed' | 'manual'
    error: string
    /** Unix seconds; 0: never. */
    lastReceived: number
    manual?: { url: string; secret: string; contentType: string; events: readonly string[]; page: string }
  }
  mirror: { fetched: number; bytes: number; error: string }
  /** The login whose token is used; `''` if no token works. */
  actsAs: string
  /** The error of the last commit status; `''` if it was sent or there is none. */
  status: string
}

export interface SyncProgress {
  done: number
  /** Where the forge says it. */
  total?: number
}

/** A user's last and running sync. Not stored: a restart forgets it. */
export interface SyncState {
  /** `null`: none runs. */
  running: SyncProgress | null
  /** The message for the user if the last one failed, else `''`. */
  error: string
  /**
   * `acme/web: WHY`, of repositories that the forge named and that are left out here; the first
   * 100.
   */
  refused: readonly string[]
  /** The total number of refused repositories. */
  refusedCount: number
}

export interface Forge {
  readonly title: string
  readonly url: string
  readonly signIn: 'oauth' | 'password'
  /**
   * Returns the URL of the sign-in page and the cookie that the browser must return. `cookie` is
   * that of the sign-ins that this browser started before. Only with `oauth`.
   */
  begin(cookie?: string): { url: string; cookie: string }
  /**
   * The browser returns. Refuses anything that does not belong to the sign-in that this browser
   * started. The returned `cookie` has the other sign-ins; it is empty if there are none.
   */
  finish(
    answer: { cookie: string; state: string; code: string },
    signal?: AbortSignal,
  ): Promise<SignedIn & { cookie?: string }>
  /** Only with `password`. The password is exchanged for a token and not stored. */
  withPassword(login: string, password: string, signal?: AbortSignal): Promise<SignedIn>
  /** A webhook as received. Resolves as soon as it is verified; it is processed later. */
  receive(header: (name: string) => string | undefined, body: Uint8Array): Promise<HookAnswer>
  /**
   * Called when a user opens a repository: refreshes their rights if those are some minutes old.
   */
  recheckRight(user: User, repo: Repo): void
  /**
   * `null` for a repository in a local folder. `secrets`: include the values that an administrator
   * copies by hand.
   */
  connection(repo: Repo, options: { secrets: boolean }): Promise<RepoConnection | null>
  syncState(user: User): SyncState
  /**
   * Refreshes the repository from the forge, reinstalls its webhook and fetches the mirror. `null`
   * for a repository in a local folder. Throws a `Refusal`.
   */
  repair(repo: Repo): Promise<Repo | null>
  /**
   * Fetches the mirror now and builds new commits. False for a repository in a local folder. Throws
   * a `Refusal`.
   */
  fetchNow(repo: Repo): Promise<boolean>
  /** The forge's page for one of our links; `null` if the repository is not on the forge. */
  pageOf(repo: Repo, what: ForgePage): Promise<string | null>
}

export type ForgePage =
  | { kind: 'repository' }
  | { kind: 'commit'; sha: string }
  | { kind: 'branch'; branch: string }
  | { kind: 'tag'; tag: string }
  | { kind: 'file'; sha: string; path: string; line?: number }
  | { kind: 'compare'; before: string; after: string }
  | { kind: 'pull-request'; number: number }
