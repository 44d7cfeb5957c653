/** What changed before a step failed, with the authors. */

/** A commit as lists show it. */
export interface ListedCommit {
  sha: string
  /** The first line of its message. */
  title: string
  author: string
  /** Unix seconds. */
  time: number
}

/** With what it changed; a merge changes nothing of its own. */
export interface ChangedBy extends ListedCommit {
  merge?: true
  /** The first hundred. */
  files: string[]
  /** The total number; absent if git timed out. */
  total?: number
}

/**
 * Ours alone: answer of `GET …/builds/{number}/changes/{stage}/{step}`: what is another since the step last passed, on this
 * branch or else on the default branch. `null` where it never did.
 */
export interface StepChanges {
  since: { build: number; stage: number; step: number; ref: string; commit: string }
  /** The newest first; missing where git does not know both commits any more, or was not given the time. */
  commits?: ChangedBy[]
  /** There are more than these. */
  more?: true
  /**
   * The number of commits in the successful build that are not in this one: this one's commit is older, or the branch
   * was force-pushed.
   */
  without?: number
  /** The pipeline file; missing where one of them was not kept. */
  file?: { path: string; same: true } | { path: string; same: false; line: number }
}

/** Ours alone: answer of `GET …/builds/{number}/source`: a part of a file at the commit of the build. 404: there is none. */
export type SourceFile =
  | {
      kind: 'text'
      path: string
      commit: string
      /** The number of the first of `lines`, from 1. */
      from: number
      /** Long ones are cut. */
      lines: string[]
      /** How many the whole file has. */
      total: number
    }
  /** It has no lines that could be shown. */
  | { kind: 'binary' | 'large' | 'link' | 'submodule' | 'folder'; path: string; commit: string }
  /** Only the end of a path was given, and these have it; at most ten. */
  | { kind: 'several'; paths: string[]; commit: string }

/**
 * Flightdeck only: the response of `GET …/builds/{number}/authors/{stage}/{step}`: the last author of each line that
 * `source` returns.
 */
export interface SourceAuthors {
  path: string
  /** Where the step last passed; missing where it never did. */
  since?: { build: number; commit: string }
  from: number
  /** For each line, the index of its commit in `commits`; empty if git timed out. */
  lines: number[]
  commits: SourceCommit[]
}

export interface SourceCommit extends ListedCommit {
  /** Whether it came after the green build; missing where that is not known. */
  after?: boolean
  /** What was before it is not in the repository: it, or an earlier one. */
  earliest?: true
}
