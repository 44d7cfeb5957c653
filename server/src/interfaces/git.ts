/** What the CI asks of git. `git.ts` asks the real program; nothing else in here does. */

export interface GitCommit {
  sha: string
  /** `''` for a first commit. */
  parent: string
  message: string
  author: { name: string; email: string }
  /** Unix seconds. */
  time: number
}

/** One file that a commit changed: `A` added, `M` modified, `D` deleted, `T` type changed. */
export interface ChangedFile {
  status: string
  path: string
}

/** `repoPath` is the folder that git calls the git directory, or the top of a work tree. */
export interface GitReader {
  /** The text of a file at a commit, or `null` if that commit has no such file. */
  readFile(repoPath: string, sha: string, path: string): Promise<string | null>
  /** The full sha of the commit that a ref (`refs/heads/main`) or a sha (also a short one) names, or `null`. */
  resolve(repoPath: string, refOrSha: string): Promise<string | null>
  /** Is the commit `sha` part of the history of the commit `head`, or `head` itself? */
  isAncestor(repoPath: string, sha: string, head: string): Promise<boolean>
  /** Throws if there is no such commit. */
  commit(repoPath: string, sha: string): Promise<GitCommit>
  /** What a commit changed against its first parent, at most so many files. */
  changedFiles(repoPath: string, sha: string, most: number): Promise<ChangedFile[]>
}
