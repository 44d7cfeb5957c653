import type { GitReader } from '../../interfaces/git.ts'
import type { Git } from './git.ts'
import type { GitSession } from './git-session.ts'

export interface GitProcessPoolOptions {
  /** The maximum number of repositories with an idle git process. */
  maxProcesses?: number
  /** A process ends after this long without a call. */
  idleMs?: number
  /** A process ends after this time in any case, before its own limit (`run-git.ts`). */
  maxAgeMs?: number
}

export interface GitProcessPool extends GitReader {
  /** Ends all processes. */
  close(): void
}

interface Entry {
  /** Identifies the repository's folder and objects. A different value means another repository. */
  identity: string
  session: GitSession
  startedAt: number
  /** The last call. Calls run one at a time. */
  tail: Promise<unknown>
  waiting: number
  timer?: NodeJS.Timeout | undefined
}

/**
 * Wraps a `Git` and keeps one process per active repository running for a while, because starting a
 * process costs as much as the rest of a small build.
 */
export function createGitProcessPool(
  git: Git,
  { maxProcesses = 16, idleMs = 20_000, maxAgeMs = 40_000 }: GitProcessPoolOptions = {},
): GitProcessPool {
  /** Ordered by last use, least recently used first. */
  const entries = new Map<string, Entry>()

  /** Ends the entry's process when its calls have finished. */
  function remove(path: string, entry: Entry): void {
    if (entries.get(path) === entry) entries.delete(path)
    clearTimeout(entry.timer)
    void entry.tail.then(() => entry.session.end())
  }

  function entryOf(path: string, identity: string): Entry {
    const cached = entries.get(path)
    if (cached && cached.identity === identity && performance.now() - cached.startedAt < maxAgeMs) {
      // Move the entry to the end, as the most recently used.
      entries.delete(path)
      entries.set(path, cached)
      return cached
    }
    if (cached) remove(path, cached)
    const entry = {
      identity,
      session: git.session(path),
      startedAt: performance.now(),
      tail: Promise.resolve(),
      waiting: 0,
    }
    entries.set(path, entry)
    for (const [oldest, other] of entries) {
      if (entries.size <= maxProcesses) break
      remove(oldest, other)
    }
    return entry
  }

  async function run<T>(path: string, call: (session: GitSession) => Promise<T>): Promise<T> {
    // Checks on each call that the repository may still be read and is the same one.
    const entry = entryOf(path, await git.identity(path))
    clearTimeout(entry.timer)
    entry.waiting += 1
    const answer = entry.tail.then(() => call(entry.session))
    entry.tail = answer
      .catch(() => {})
      .then(() => {
        entry.waiting -= 1
        if (entry.waiting > 0 || entries.get(path) !== entry) return
        entry.timer = setTimeout(() => remove(path, entry), idleMs)
        entry.timer.unref()
      })
    return answer
  }

  return {
    resolve: (path, name) => run(path, (session) => session.resolve(path, name)),
    readFile: (path, sha, file) => run(path, (session) => session.readFile(path, sha, file)),
    commit: (path, sha) => run(path, (session) => session.commit(path, sha)),
    // These need processes of their own; a session would end its process for them.
    isAncestor: (path, sha, head) => git.isAncestor(path, sha, head),
    changes: (path, sha, signal) => git.changes(path, sha, signal),
    sources: git.sources,
    close() {
      for (const [path, entry] of entries) remove(path, entry)
    },
  }
}
