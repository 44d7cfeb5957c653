import type { Commit, Repo } from '@flightdeck/api'
import { findRepoInternals } from '../store/repos.ts'
import { required, type CiContext } from './context.ts'
import { createLruCache } from '../lib/cache.ts'
import { cutText, textLimits } from '../lib/truncate-text.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * A commit never changes, but it can be removed from its repository and should then soon disappear.
 */
const keptMs = 60_000
/** The total size of all cached commits. */
const maxBytes = 32 * 1024 * 1024

export interface CommitReader {
  /**
   * Includes the changed files, for the commit page. git is stopped when every caller that shares
   * the request has disconnected.
   */
  details(repo: Repo, refOrSha: string, signal?: AbortSignal): Promise<Commit>
  /** The full sha. */
  sha(repo: Repo, refOrSha: string): Promise<string>
}

/** Work that several callers share. */
interface Shared {
  answer: Promise<unknown>
  readers: number
  stop: AbortController
}

/**
 * Anyone with read access can request these pages, and each needs four git processes. Commits are
 * therefore cached, concurrent requests for the same commit share one result, and the semaphore
 * limits concurrency.
 */
export function createCommitReader(ci: Pick<CiContext, 'db' | 'git' | 'now'>, gate: FairSemaphore): CommitReader {
  const known = createLruCache<Commit>({ maxSize: maxBytes, ttlMs: keptMs, now: () => ci.now() * 1000 })
  const pending = new Map<string, Shared>()

  function begin(key: string, work: (stopped: AbortSignal) => Promise<unknown>): Shared {
    const stop = new AbortController()
    const run = async () => {
      stop.signal.throwIfAborted()
      return work(stop.signal)
    }
    const shared = { answer: gate.run(run), readers: 0, stop }
    const over = () => void (pending.get(key) === shared && pending.delete(key))
    shared.answer.then(over, over)
    pending.set(key, shared)
    return shared
  }

  /** A caller whose `signal` aborts no longer counts; without callers the work stops. */
  async function share<T>(key: string, work: (stopped: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const shared = pending.get(key) ?? begin(key, work)
    shared.readers += 1
    const leave = () => {
      shared.readers -= 1
      if (shared.readers > 0) return
      // The next caller starts again.
      pending.delete(key)
      shared.stop.abort()
    }
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
    try {
      return (await shared.answer) as T
    } catch (error) {
      // This caller has disconnected; that is not a failure.
      if (signal?.aborted) throw new Refusal(503, 'The client disconnected')
      throw error
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  async function resolve(repo: Repo, refOrSha: string): Promise<{ path: string; sha: string }> {
    const { path } = required(await findRepoInternals(ci.db, repo.id))
    const sha = await ci.git.resolve(path, refOrSha)
    if (sha === null) throw new Refusal(404, 'Commit not found')
    return { path, sha }
  }

  async function read(repo: Repo, refOrSha: string, stopped: AbortSignal): Promise<Commit> {
    const { path, sha } = await resolve(repo, refOrSha)
    const key = `${repo.id} ${sha}`
    const before = known.get(key)
    if (before) return before
    const { message, author, time } = await ci.git.commit(path, sha)
    const { parents, files, total } = await ci.git.changes(path, sha, stopped)
    const details: Commit = {
      sha,
      parents: [...parents],
      message: cutText(message, textLimits.message),
      ...(message.length > textLimits.message && { message_cut: true }),
      author,
      time,
      files: [...files],
      ...(total !== undefined && { total }),
    }
    known.set(key, details)
    return details
  }

  return {
    async details(repo, refOrSha, signal) {
      const name = `${repo.id} ${refOrSha}`
      return known.get(name) ?? share(`details ${name}`, (stopped) => read(repo, refOrSha, stopped), signal)
    },
    async sha(repo, refOrSha) {
      return share(`sha ${repo.id} ${refOrSha}`, async () => (await resolve(repo, refOrSha)).sha)
    },
  }
}
