/** The forge as routes see it: people sign in with it, its webhooks come in, and repositories show how they are connected. */
import type { Repo, User } from '@flightdeck/api'

/** A person of the forge who may sign in, or the reason why not, as a text for the person. */
export type SignedIn = { user: User; isNew: boolean } | { refused: string }

export interface HookAnswer {
  status: number
  message: string
}

/** How a repository is connected, for its settings. */
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
    seen: number
    manual?: { url: string; secret: string; contentType: string; events: readonly string[]; page: string }
  }
  mirror: { fetched: number; bytes: number; error: string }
  /** The login whose token is used; `''`: no token works. */
  actsAs: string
  /** Why the last commit status could not be sent; `''`: it was, or there is none. */
  status: string
}

export interface SyncProgress {
  done: number
  /** Where the forge says it. */
  total?: number
}

/** A person's last sync, and the one that runs. What is known of it ends with the server. */
export interface SyncState {
  /** `null`: none runs. */
  running: SyncProgress | null
  /** The message for the user if the last one failed, else `''`. */
  error: string
  /** `acme/web: WHY`, of repositories that the forge named and that are left out here; the first 100. */
  refused: readonly string[]
  /** How many they are in all. */
  refusedCount: number
}

export interface Forge {
  readonly title: string
  readonly url: string
  readonly signIn: 'oauth' | 'password'
  /** The URL of the sign-in page, and the cookie that the browser must return. Only with `oauth`. */
  begin(): { url: string; kept: string }
  /** The browser returns. Refuses anything that does not belong to the sign-in that this browser started. */
  finish(answer: { kept: string; state: string; code: string }, signal?: AbortSignal): Promise<SignedIn>
  /** Only with `password`. The password is exchanged for a token and not stored. */
  withPassword(login: string, password: string, signal?: AbortSignal): Promise<SignedIn>
  /** A webhook as received. Resolves as soon as it is verified; it is processed later. */
  receive(header: (name: string) => string | undefined, body: Uint8Array): Promise<HookAnswer>
  /** A person opens a repository: their rights are read again if they are some minutes old. */
  look(user: User, repo: Repo): void
  /** `null`: it lies in a folder of this machine. `secrets`: with what an administrator copies by hand. */
  connection(repo: Repo, options: { secrets: boolean }): Promise<RepoConnection | null>
  syncState(user: User): SyncState
  /**
   * Reads what the forge says of the repository, installs its webhook again and fetches the mirror. `null`: it lies in a folder of
   * this machine. Throws a `Refusal`.
   */
  repair(repo: Repo): Promise<Repo | null>
  /** Fetches the mirror now and builds what is new. False: it lies in a folder of this machine. Throws a `Refusal`. */
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
