/** Commits with what they changed: ours alone, for the embedded server has no forge that could show them. */

/** `type`: a file became a link or the like. */
export type FileChange = 'added' | 'modified' | 'deleted' | 'renamed' | 'type'

/**
 * Why lines are missing. `file`: this file has more than is shown of one; `commit`: the files before have used up what is shown
 * of a commit; `count`: it is none of the first fifty; `time`: git took too long.
 */
export type DiffCut = 'file' | 'commit' | 'count' | 'time'

/** A part of a file that changed, with its neighbours. */
export interface Hunk {
  /** The number of its first line before and after, from 1. */
  old: number
  new: number
  /** The enclosing function or section, as git detects it. */
  heading?: string
  /** Each with its mark first: `+`, `-` or a blank; `\` where the line before has no line feed. */
  lines: string[]
  /** Lines that are cut: at which index, and how many bytes are missing. */
  long?: { at: number; more: number }[]
}

export interface CommitFile {
  /** As text; what is no UTF-8 is replaced. */
  path: string
  change: FileChange
  /** `renamed`: the name before. */
  before?: string
  /** As git writes them (`100755`), where they differ; absent for what was added or deleted. */
  modes?: [before: string, after: string]
  /** Lines; absent where git counts none (`binary`) or was too slow to count. */
  added?: number
  deleted?: number
  /** No text, or too large to be compared. */
  binary?: boolean
  /** Some bytes are no UTF-8 and shown as U+FFFD. */
  garbled?: boolean
  hunks?: Hunk[]
  cut?: DiffCut
}

/** Answer of `GET /api/repos/{namespace}/{name}/commits/{sha}`. */
export interface Commit {
  sha: string
  /** The first one is what it is compared with; none: everything is new. */
  parents: string[]
  message: string
  /** The message is truncated. */
  message_cut?: boolean
  author: { name: string; email: string }
  /** Unix seconds, as set by the committer; git allows values that no calendar has. */
  time: number
  /** The first thousand. */
  files: CommitFile[]
  /** The total number; absent if git was stopped before it had finished. */
  total?: number
}
