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

/** `repoPath` is the folder that git calls the git directory, or the top of a work tree. */
export interface GitReader {
  /** The text of a file at a commit, or `null` if that commit has no such file. */
  readFile(repoPath: string, sha: string, path: string): Promise<string | null>
  /** The full sha of the commit that a ref (`refs/heads/main`) or a sha (also a short one) names, or `null`. */
  resolve(repoPath: string, refOrSha: string): Promise<string | null>
  /** Throws if there is no such commit. */
  commit(repoPath: string, sha: string): Promise<GitCommit>
}
