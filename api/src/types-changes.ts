/** What changed before a step failed, with the authors. */

/** A commit in a list. */
export interface ListedCommit {
  sha: string
  /** The first line of its message. */
  title: string
  author: string
  /** Unix seconds. */
  time: number
}

/** A commit with its changed files. A merge has none. */
export interface ChangedBy extends ListedCommit {
  merge?: true
  /** At most 100. */
  files: string[]
  /** The total number; absent if git timed out. */
  total?: number
}

/**
 * Flightdeck only: the response of `GET …/builds/{number}/changes/{stage}/{step}`: what changed
 * since the step last passed, on this branch or else on the default branch. `null` if it has never
 * passed.
 */
export interface StepChanges {
  since: { build: number; stage: number; step: number; ref: string; commit: string }
  /** Newest first; absent if git timed out or no longer knows both commits. */
  commits?: ChangedBy[]
  /** The list is truncated. */
  more?: true
  /**
   * The number of commits in the successful build that are not in this one: this one's commit is
   * older, or the branch was force-pushed.
   */
  without?: number
  /** The pipeline file; absent if the server has no copy of one of the two. */
  file?: { path: string; same: true } | { path: string; same: false; line: number }
}

/**
 * Flightdeck only: the response of `GET …/builds/{number}/source`: a part of a file at the build's
 * commit; 404 if there is none.
 */
export type SourceFile =
  | {
      kind: 'text'
      path: string
      commit: string
      /** The line number of the first of `lines`, from 1. */
      from: number
      /** Long lines are truncated. */
      lines: string[]
      /** The number of lines in the file. */
      total: number
    }
  /** It has no lines to show. */
  | { kind: 'binary' | 'large' | 'link' | 'submodule' | 'folder'; path: string; commit: string }
  /** Only the end of a path was given, and it matches these paths; at most ten. */
  | { kind: 'several'; paths: string[]; commit: string }

/**
 * Flightdeck only: the response of `GET …/builds/{number}/authors/{stage}/{step}`: the last author
 * of each line that `source` returns.
 */
export interface SourceAuthors {
  path: string
  /** Where the step last passed; absent if it never has. */
  since?: { build: number; commit: string }
  from: number
  /** For each line, the index of its commit in `commits`; empty if git timed out. */
  lines: number[]
  commits: SourceCommit[]
}

export interface SourceCommit extends ListedCommit {
  /** Whether it is newer than the last successful build; absent if unknown. */
  after?: boolean
  /**
   * The repository lacks the history before it: the clone is shallow, or it is the first commit.
   */
  earliest?: true
}
