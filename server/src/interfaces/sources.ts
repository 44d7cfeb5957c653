/**
 * What the pages of a failed step need from git: the commits between two, the lines of a file, and
 * their last change.
 */
import type { ChangedBy, CommitFile } from '@flightdeck/api'

export interface CommitsBetween {
  /**
   * Of the newer one's history and not of the older one's; the newest first. Missing where git was
   * too slow.
   */
  commits?: ChangedBy[]
  /** There are more than these. */
  more: boolean
  /** How many of the older one's history are not of the newer one's; at most a thousand. */
  without?: number
}

/** `large`: not read. */
export type FoundFile =
  | { kind: 'file'; path: string; bytes: Buffer }
  | { kind: 'large' | 'link' | 'submodule' | 'folder'; path: string }

export interface Authors {
  /** For each line the place of its commit in `commits`. */
  lines: number[]
  commits: {
    sha: string
    title: string
    author: string
    /** Unix seconds. */
    time: number
    /** The oldest available commit, which is not the first one of the repository. */
    earliest?: true
  }[]
}

/** All shas are full; every answer is bounded in time and size, and `signal` ends git. */
export interface SourceReader {
  /** `null` if one of the two does not exist. */
  between(repoPath: string, older: string, newer: string, signal?: AbortSignal): Promise<CommitsBetween | null>
  /**
   * The files that differ between two commits, as `GitReader.changes` returns them; `null` if
   * one of the two does not exist.
   */
  differentFiles(
    repoPath: string,
    older: string,
    newer: string,
    signal?: AbortSignal,
  ): Promise<{ files: readonly CommitFile[]; total?: number } | null>
  /** The first of these paths that the commit has; no link is followed. */
  find(repoPath: string, sha: string, paths: readonly string[], signal?: AbortSignal): Promise<FoundFile | null>
  /** Files of the commit whose paths end with this, after a slash; at most ten. */
  endingIn(repoPath: string, sha: string, ending: string, signal?: AbortSignal): Promise<string[]>
  /** The authors that changed these lines last; `null` where git was too slow. */
  authors(
    repoPath: string,
    sha: string,
    lines: { path: string; from: number; to: number },
    signal?: AbortSignal,
  ): Promise<Authors | null>
  /**
   * Commits of the newer one's history that are not of the older one's; `all` is false where these
   * are not all of them.
   */
  listAfter(
    repoPath: string,
    older: string,
    newer: string,
    signal?: AbortSignal,
  ): Promise<{ shas: Set<string>; all: boolean }>
}
