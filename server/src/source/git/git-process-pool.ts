import type { GitReader } from '../../interfaces/git.ts'
import type { Git } from './git.ts'
import type { GitSession } from './git-session.ts'

export interface GitProcessPoolOptions {
  /** Repositories that have a git process at once, beside those that are being asked. */
  maxProcesses?: number
  /** Milliseconds without a question after which a process ends. */
  idleMs?: number
  /** A process ends after this time in any case, before its own limit (`run.ts`). */
  maxAgeMs?: number
}

export interface GitProcessPool extends GitReader {
  /** Ends all processes. */
  close(): void
}

interface Entry {
  /** Where the repository was found: another place is another repository. */
  place: string
  session: GitSession
  began: number
  /** One question at a time. */
  tail: Promise<unknown>
  waiting: number
  timer?: NodeJS.Timeout | undefined
}

/**
 * Wraps a `Git` and keeps one process per active repository running for a while:
 * starting a program costs as much as the rest of a small build.
 */
export function createGitProcessPool(
  git: Git,
  { maxProcesses = 16, idleMs = 20_000, maxAgeMs = 40_000 }: GitProcessPoolOptions = {},
): GitProcessPool {
  /** The one that was asked the longest time ago first. */
  const entries = new Map<string, Entry>()

  /** Ends when its questions are answered. */
  function leave(path: string, entry: Entry): void {
    if (entries.get(path) === entry) entries.delete(path)
    clearTimeout(entry.timer)
    void entry.tail.then(() => entry.session.end())
  }

  function entryOf(path: string, place: string): Entry {
    const known = entries.get(path)
    if (known && known.place === place && performance.now() - known.began < maxAgeMs) {
      // Now the one that was asked last.
      entries.delete(path)
      entries.set(path, known)
      return known
    }
    if (known) leave(path, known)
    const entry = { place, session: git.session(path), began: performance.now(), tail: Promise.resolve(), waiting: 0 }
    entries.set(path, entry)
    for (const [oldest, other] of entries) {
      if (entries.size <= maxProcesses) break
      leave(oldest, other)
    }
    return entry
  }

  async function ask<T>(path: string, question: (session: GitSession) => Promise<T>): Promise<T> {
    // Checks each time whether it may still be read, and is what it was.
    const entry = entryOf(path, await git.place(path))
    clearTimeout(entry.timer)
    entry.waiting += 1
    const answer = entry.tail.then(() => question(entry.session))
    entry.tail = answer
      .catch(() => {})
      .then(() => {
        entry.waiting -= 1
        if (entry.waiting > 0 || entries.get(path) !== entry) return
        entry.timer = setTimeout(() => leave(path, entry), idleMs)
        entry.timer.unref()
      })
    return answer
  }

  return {
    resolve: (path, name) => ask(path, (session) => session.resolve(path, name)),
    readFile: (path, sha, file) => ask(path, (session) => session.readFile(path, sha, file)),
    commit: (path, sha) => ask(path, (session) => session.commit(path, sha)),
    // These need programs of their own; a session would end its process for them.
    isAncestor: (path, sha, head) => git.isAncestor(path, sha, head),
    changes: (path, sha, signal) => git.changes(path, sha, signal),
    sources: git.sources,
    close() {
      for (const [path, entry] of entries) leave(path, entry)
    },
  }
}
