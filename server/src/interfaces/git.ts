/** The interface to git. Only `git.ts` runs the git program. */
import type { CommitFile } from '@flightdeck/api'
import type { SourceReader } from './sources.ts'

export interface GitCommit {
  sha: string
  /** `''` for a first commit. */
  parent: string
  message: string
  author: { name: string; email: string }
  /** Unix seconds. */
  time: number
}

export interface CommitChanges {
  parents: readonly string[]
  /** The first thousand; of the first fifty the lines that changed, as far as the limits go. */
  files: readonly CommitFile[]
  /** The total, if git had the time to count. */
  total?: number
}

/** `repoPath` is the folder that git calls the git directory, or the top of a work tree. */
export interface GitReader {
  /** The text of a file at a commit, or `null` if that commit has no such file. */
  readFile(repoPath: string, sha: string, path: string): Promise<string | null>
  /**
   * The full sha of the commit that a ref (`refs/heads/main`) or a sha (also a short one) names, or
   * `null`.
   */
  resolve(repoPath: string, refOrSha: string): Promise<string | null>
  /** Is the commit `sha` part of the history of the commit `head`, or `head` itself? */
  isAncestor(repoPath: string, sha: string, head: string): Promise<boolean>
  /** Throws if there is no such commit. */
  commit(repoPath: string, sha: string): Promise<GitCommit>
  /** What a commit changed against its first parent. Ends after some seconds; `signal` ends git. */
  changes(repoPath: string, sha: string, signal?: AbortSignal): Promise<CommitChanges>
  readonly sources: SourceReader
}
