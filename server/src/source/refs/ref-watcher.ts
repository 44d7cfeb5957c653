import { setTimeout as delay } from 'node:timers/promises'
import { listActiveRepoPaths } from '../../store/repos.ts'
import { createCheckScheduler, isUnread, newWatchedRepo, type WatchedRepo } from './check-scheduler.ts'
import { checkRefs, type CheckOptions } from './check-refs.ts'
import { createFairQueue } from './fair-queue.ts'
import { createFileWatcher } from './file-watcher.ts'
import { mayHaveChanged } from './signature.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { monotonicMs } from '../../lib/monotonic-time.ts'

/**
 * Polling finds a change within one round; the documentation promises 5 s. A file system event
 * usually reports a change at once.
 */
const roundMs = 4500
/** A watched repository is polled in every twelfth round, because events can be lost. */
const roundsPerWatched = 12
/**
 * Callers report changes of the list (`refresh`). It is also read again every 40 rounds, which is
 * three minutes.
 */
const roundsPerList = 40
/** A round polls in slices, so that 10,000 repositories do not block the event loop. */
const slices = 45
/** A timer costs as much as a few polls, so small slices are polled together. */
const maxSlicesTogether = 5
const pollsPerTimer = 100
/** Calls of `refresh` within this time are handled together. */
const refreshMs = 150
/**
 * The maximum number of repositories that are checked concurrently, each with at most one git
 * process.
 */
const maxConcurrentChecks = 4

export interface RefWatcherOptions extends Omit<CheckOptions, 'isStopped'> {
  /** The duration of a polling round. */
  roundMs?: number
  /** The delay until refs whose times were too recent to be trusted are read again. */
  recheckMs?: number
  /** The minimum interval between two checks of a repository that changes constantly. */
  minIntervalMs?: number
  /** The maximum number of watched folders. With 0, all repositories are polled. */
  maxWatchedFolders?: number
}

export interface RefWatcher {
  /** Call when the list of active repositories has changed. */
  refresh(): void
  stop(): Promise<void>
}

/** Starts builds for new commits and tags (architecture.md "repositories"). */
export function watchRefs(options: RefWatcherOptions): RefWatcher {
  const repos = new Map<number, WatchedRepo>()
  const stopping = new AbortController()
  const { signal } = stopping
  const queue = createFairQueue(maxConcurrentChecks, check)
  const { maxWatchedFolders: maxFolders } = options
  const files = createFileWatcher<WatchedRepo>({
    onChange: (repo) => scheduler.changed(repo),
    onLost: (repo) => scheduler.updateCoverage(repo),
    ...(maxFolders !== undefined && { maxFolders }),
  })
  const scheduler = createCheckScheduler({
    queue,
    files,
    isCurrent: (repo) => !signal.aborted && repos.get(repo.id) === repo,
    minIntervalMs: options.minIntervalMs,
    recheckMs: options.recheckMs,
    maxIntervalMs: roundMs,
  })
  let refreshing: Promise<unknown> = Promise.resolve()
  let refreshTimer: NodeJS.Timeout | undefined
  let isListStale = false
  let rounds = 0
  let slicesTogether = 1
  const polling = pollUntilStopped()

  async function check(repo: WatchedRepo): Promise<boolean> {
    scheduler.started(repo)
    const before = repo.signature
    try {
      const hasMore = await checkRefs({ ...options, isStopped: () => signal.aborted }, repo)
      repo.lastError = ''
      if (!hasMore) await scheduler.finished(repo, before)
      return hasMore
    } catch (error) {
      logError(repo, `the refs could not be read: ${errorMessage(error)}`)
      return false
    } finally {
      scheduler.updateCoverage(repo)
    }
  }

  /** Logs an error once, not in every round. */
  function logError(repo: WatchedRepo, message: string): void {
    if (message !== repo.lastError) options.log(`${repo.path}: ${message}`)
    repo.lastError = message
  }

  async function pollUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      await pollAll().catch((error: unknown) => options.log(`the refs could not be checked: ${errorMessage(error)}`))
    }
  }

  /** One round: polls every repository once, spread over the time of the round. */
  async function pollAll(): Promise<void> {
    const startedAt = monotonicMs()
    const sliceMs = (options.roundMs ?? roundMs) / slices
    if (isListStale || rounds % roundsPerList === 0) await refreshNow()
    const list = [...repos.values()]
    rounds += 1
    const startOf = (slice: number) => Math.floor((list.length * slice) / slices)
    for (let slice = 0; slice < slices && !signal.aborted;) {
      const next = Math.min(slices, slice + slicesTogether)
      const polls = poll(list.slice(startOf(slice), startOf(next)))
      slicesTogether = Math.max(1, Math.min(maxSlicesTogether, Math.floor(((next - slice) * pollsPerTimer) / polls)))
      slice = next
      const remainingMs = startedAt + sliceMs * slice - monotonicMs()
      await delay(Math.max(1, remainingMs), undefined, { signal }).catch(() => {})
    }
  }

  /**
   * Queues the repositories that may have changed. Returns how many were polled; most rounds skip
   * watched repositories.
   */
  function poll(some: readonly WatchedRepo[]): number {
    let polls = 0
    for (const repo of some) {
      if ((repo.isCovered && (repo.id + rounds) % roundsPerWatched !== 0) || queue.has(repo)) continue
      polls += 1
      if (mayHaveChanged(repo)) queue.add(repo)
    }
    return polls
  }

  function refreshNow(): Promise<unknown> {
    refreshing = refreshing.then(readList).then(
      () => {
        isListStale = false
        // New repositories are checked without waiting for their slice.
        for (const repo of repos.values()) if (isUnread(repo)) queue.add(repo)
      },
      (error: unknown) => {
        isListStale = true
        options.log(`the active repositories could not be listed: ${errorMessage(error)}`)
      },
    )
    return refreshing
  }

  async function readList(): Promise<void> {
    const active = await listActiveRepoPaths(options.db)
    const ids = new Set(active.map(({ id }) => id))
    for (const id of repos.keys()) if (!ids.has(id)) remove(id)
    for (const { id, path } of active) {
      if (repos.get(id)?.path === path) continue
      remove(id)
      repos.set(id, newWatchedRepo(id, path))
    }
  }

  function remove(id: number): void {
    const repo = repos.get(id)
    if (!repo) return
    repos.delete(id)
    files.unwatch(repo)
    scheduler.cancel(repo)
  }

  return {
    refresh() {
      refreshTimer ??= setTimeout(() => {
        refreshTimer = undefined
        void refreshNow()
      }, refreshMs)
      refreshTimer.unref()
    },
    async stop() {
      stopping.abort()
      files.stop()
      clearTimeout(refreshTimer)
      for (const repo of repos.values()) scheduler.cancel(repo)
      await queue.stop()
      await polling
    },
  }
}
