/** Commits and their changes. Flightdeck only: Drone's API has no endpoint for them. */

/** `type`: the file type changed, for example from a file to a symbolic link. */
export type FileChange = 'added' | 'modified' | 'deleted' | 'renamed' | 'type'

/**
 * Why lines are missing. `file`: the file exceeds the limit per file; `commit`: earlier files used
 * up the limit per commit; `count`: the file is not among the first 50; `time`: git timed out.
 */
export type DiffCut = 'file' | 'commit' | 'count' | 'time'

/** A changed part of a file, with context lines. */
export interface Hunk {
  /** The number of its first line before and after the change, from 1. */
  old: number
  new: number
  /** The enclosing function or section, as git detects it. */
  heading?: string
  /**
   * Each line starts with `+`, `-` or a space; with `\` if the previous line has no newline at the
   * end.
   */
  lines: string[]
  /** Truncated lines: the index, and the number of missing bytes. */
  long?: { at: number; more: number }[]
}

export interface CommitFile {
  /** Bytes that are not valid UTF-8 are replaced. */
  path: string
  change: FileChange
  /** `renamed`: the previous path. */
  before?: string
  /** Git's file modes (`100755`) if they differ; absent for added and deleted files. */
  modes?: [before: string, after: string]
  /** Numbers of lines; absent for binary files and if git timed out. */
  added?: number
  deleted?: number
  /** Not text, or too large to compare. */
  binary?: boolean
  /** Some bytes are not valid UTF-8 and are shown as U+FFFD. */
  garbled?: boolean
  hunks?: Hunk[]
  cut?: DiffCut
}

/** The response of `GET /api/repos/{namespace}/{name}/commits/{sha}`. */
export interface Commit {
  sha: string
  /** The commit is compared with the first parent. Without parents, everything is new. */
  parents: string[]
  message: string
  /** The message is truncated. */
  message_cut?: boolean
  author: { name: string; email: string }
  /** Unix seconds, as set by the committer; git allows values outside of any calendar. */
  time: number
  /** At most 1,000. */
  files: CommitFile[]
  /** The total number; absent if git timed out. */
  total?: number
}
