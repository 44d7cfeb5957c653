/**
 * Bare copies of the forge's repositories in the data folder: what reads git reads them, whether
 * the forge answers or not.
 */

/** What git signs in with; handed over by the environment of one process, and written nowhere. */
export interface MirrorCredential {
  login: string
  password: string
}

export interface FetchRequest {
  /** The forge's clone address, without credentials. */
  url: string
  credential: MirrorCredential
  defaultBranch: string
  /** Where the forge keeps the heads of pull requests, below `refs`. */
  pulls: 'pull' | 'merge-requests'
  signal?: AbortSignal
}

export interface MirrorChange {
  ref: string
  /** `''` for a new ref. */
  before: string
  after: string
}

/** git could not fetch. `denied`: the forge refused the credential, or hides the repository. */
export class MirrorError extends Error {
  readonly denied: boolean
  constructor(message: string, denied: boolean) {
    super(message)
    this.name = 'MirrorError'
    this.denied = denied
  }
}

export interface Mirrors {
  /**
   * The folder of a repository's mirror, whether it is there or not. By our own number, so no name
   * leads elsewhere.
   */
  path(repoId: number): string
  /**
   * Creates the mirror if there is none and updates it; concurrent calls share the next fetch.
   * Throws `MirrorError`.
   */
  fetch(repoId: number, request: FetchRequest): Promise<void>
  /** Bytes on disk. */
  size(repoId: number): Promise<number>
  /**
   * Branches and tags that differ from the last known state, and heads of pull requests. `gone`:
   * refs that no longer exist.
   */
  changes(repoId: number): Promise<{ present: MirrorChange[]; pulls: MirrorChange[]; removed: string[] }>
  /**
   * What each branch, tag and pull request of the mirror points at; for an annotated tag that is
   * the tag object.
   */
  refs(repoId: number): Promise<ReadonlyMap<string, string>>
  /** The commit that a ref or a sha of the mirror names; `null` if there is none. */
  head(repoId: number, ref: string): Promise<string | null>
  /** The repositories that have a mirror, without those that are fetched right now. */
  list(): Promise<number[]>
  remove(repoId: number): Promise<void>
}
