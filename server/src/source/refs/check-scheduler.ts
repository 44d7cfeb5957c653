import type { FairQueue } from './fair-queue.ts'
import type { FileWatcher } from './file-watcher.ts'
import { isLocal } from './file-systems.ts'
import { newRefState, type RefState } from './check-refs.ts'
import { pathsAtOnce, signatureOf } from './signature.ts'

/** A push changes several files: one check reads them all. */
const debounceMs = 15
/** Default of `restMs`. */
const minRestMs = 150
/** A repository whose checks are slow is checked for at most one fifth of the time. */
const restFactor = 5
/** A change made after this time shows in the modification times (`signature.ts`). */
const defaultRecheckMs = 1100

/** A check that is due later. */
interface ScheduledCheck {
  /** `change`: a file system event was seen. `recheck`: the last check met times that are too recent; an event replaces it. */
  reason: 'change' | 'recheck'
  timer: NodeJS.Timeout
}

/** The state of one active repository. */
export interface WatchedRepo extends RefState {
  scheduled: ScheduledCheck | null
  /** When the last check began that counts for throttling, by `performance.now()`. */
  checkedAt: number
  /** The check that is queued is a cheap recheck: a change right after it need not wait. */
  isFreeCheck: boolean
  /** Whether the file system reports every change; `undefined` before the first check. */
  isLocal: boolean | undefined
  /** File system events report every change: polling may skip it. */
  isCovered: boolean
  /** The last error that was logged; empty after a check that worked. */
  lastError: string
}

export const newWatchedRepo = (id: number, path: string): WatchedRepo => ({
  ...newRefState(id, path),
  scheduled: null,
  checkedAt: -Infinity,
  isFreeCheck: false,
  isLocal: undefined,
  isCovered: false,
  lastError: '',
})

/** Whether its refs were never read. */
export const isUnread = ({ files }: WatchedRepo): boolean => files.length === 0

export interface CheckSchedulerOptions {
  queue: FairQueue<WatchedRepo>
  files: FileWatcher<WatchedRepo>
  /** Whether the repository is still active, at this path. */
  isCurrent: (repo: WatchedRepo) => boolean
  /** Minimum milliseconds between two checks of a repository that changes all the time. */
  restMs?: number | undefined
  /** Milliseconds until the check after one that met times that are too recent. */
  recheckMs?: number | undefined
  /** Maximum milliseconds between two checks, also if they are slow. */
  maxRestMs: number
}

/** Decides when a repository is checked after a file system event: soon, once for many events, and not all the time. */
export interface CheckScheduler {
  /** A file system event was seen. */
  changed(repo: WatchedRepo): void
  /** A check begins. */
  started(repo: WatchedRepo): void
  /** A check has read all. Watches its files and schedules another check if something changed meanwhile. */
  finished(repo: WatchedRepo, signatureBefore: string): Promise<void>
  /** Sets `isCovered`. */
  updateCoverage(repo: WatchedRepo): void
  /** Forgets what is scheduled. */
  cancel(repo: WatchedRepo): void
}

export function createCheckScheduler(options: CheckSchedulerOptions): CheckScheduler {
  const { queue, files, isCurrent, maxRestMs, restMs = minRestMs, recheckMs = defaultRecheckMs } = options

  const restOf = ({ readMs }: RefState): number => Math.max(restMs, Math.min(restFactor * readMs, maxRestMs))

  function schedule(repo: WatchedRepo, reason: ScheduledCheck['reason'], afterMs: number): void {
    cancel(repo)
    if (!isCurrent(repo)) return
    const timer = setTimeout(() => {
      repo.scheduled = null
      // A check that is running does not see what has changed since it began.
      if (queue.has(repo)) return schedule(repo, 'change', restOf(repo))
      // Slow checks count for throttling, whatever their reason.
      if (reason === 'recheck' && restOf(repo) === restMs) repo.isFreeCheck = true
      queue.add(repo)
    }, afterMs)
    timer.unref()
    repo.scheduled = { reason, timer }
  }

  function changed(repo: WatchedRepo): void {
    if (repo.scheduled?.reason === 'change') return
    const sinceMs = performance.now() - repo.checkedAt
    schedule(repo, 'change', Math.max(debounceMs, restOf(repo) - sinceMs))
  }

  function cancel(repo: WatchedRepo): void {
    clearTimeout(repo.scheduled?.timer)
    repo.scheduled = null
  }

  return {
    changed,
    cancel,
    started(repo) {
      repo.checkedAt = repo.isFreeCheck ? -Infinity : performance.now()
      repo.isFreeCheck = false
    },
    async finished(repo, signatureBefore) {
      const isSame = repo.signature === signatureBefore && repo.signature !== ''
      if ((isSame && files.has(repo)) || isUnread(repo) || !isCurrent(repo)) return
      repo.isLocal ??= await isLocal(repo.path)
      if (!isCurrent(repo)) return
      const isWatched = files.watch(repo, repo.files, signatureBefore !== '')
      const isShort = repo.files.length <= pathsAtOnce
      if (isWatched && isShort && signatureOf(repo.files).text !== repo.times) changed(repo)
      if (repo.signature === '' && !repo.scheduled) schedule(repo, 'recheck', recheckMs)
    },
    updateCoverage(repo) {
      repo.isCovered = repo.signature !== '' && files.has(repo) && repo.isLocal === true
    },
  }
}
