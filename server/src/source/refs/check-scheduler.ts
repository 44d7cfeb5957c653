import type { FairQueue } from './fair-queue.ts'
import type { FileWatcher } from './file-watcher.ts'
import { isLocal } from './file-systems.ts'
import { newRefState, type RefState } from './check-refs.ts'
import { maxPaths, signatureOf } from './signature.ts'

/** A push changes several files, and one check reads them all. */
const debounceMs = 15
/** Default of `minIntervalMs`. */
const defaultMinIntervalMs = 150
/** A repository with slow checks is checked for at most one fifth of the time. */
const intervalFactor = 5
/** After this time, the modification times show a change (`signature.ts`). */
const defaultRecheckMs = 1100

/** A check that is scheduled. */
interface ScheduledCheck {
  /**
   * `change`: there was a file system event. `recheck`: the last check found times that are too
   * recent; an event replaces the recheck.
   */
  reason: 'change' | 'recheck'
  timer: NodeJS.Timeout
}

/** The state of one active repository. */
export interface WatchedRepo extends RefState {
  scheduled: ScheduledCheck | null
  /** When the last check began that counts for throttling, by `performance.now()`. */
  checkedAt: number
  /** The queued check is a cheap recheck, so a change right after it is not delayed. */
  isFreeCheck: boolean
  /** Whether the file system reports every change; `undefined` before the first check. */
  isLocal: boolean | undefined
  /** File system events report every change, so polling can skip the repository. */
  isCovered: boolean
  /** The last error that was logged; empty after a successful check. */
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

/** Whether the refs were never read. */
export const isUnread = ({ files }: WatchedRepo): boolean => files.length === 0

export interface CheckSchedulerOptions {
  queue: FairQueue<WatchedRepo>
  files: FileWatcher<WatchedRepo>
  /** Whether the repository is still active, at this path. */
  isCurrent: (repo: WatchedRepo) => boolean
  /** The minimum interval between two checks of a repository that changes constantly. */
  minIntervalMs?: number | undefined
  /** The delay before the check that follows one with times that are too recent. */
  recheckMs?: number | undefined
  /** The maximum interval between two checks, even if they are slow. */
  maxIntervalMs: number
}

/**
 * Decides when a repository is checked after a file system event: soon, once for many events, and
 * not constantly.
 */
export interface CheckScheduler {
  /** Call for each file system event. */
  changed(repo: WatchedRepo): void
  /** Call when a check starts. */
  started(repo: WatchedRepo): void
  /**
   * Call when a check has read everything. Watches the files and schedules another check if
   * something changed during the check.
   */
  finished(repo: WatchedRepo, signatureBefore: string): Promise<void>
  /** Sets `isCovered`. */
  updateCoverage(repo: WatchedRepo): void
  /** Cancels the scheduled check. */
  cancel(repo: WatchedRepo): void
}

export function createCheckScheduler(options: CheckSchedulerOptions): CheckScheduler {
  const {
    queue,
    files,
    isCurrent,
    maxIntervalMs,
    minIntervalMs = defaultMinIntervalMs,
    recheckMs = defaultRecheckMs,
  } = options

  const intervalOf = ({ readMs }: RefState): number =>
    Math.max(minIntervalMs, Math.min(intervalFactor * readMs, maxIntervalMs))

  function schedule(repo: WatchedRepo, reason: ScheduledCheck['reason'], afterMs: number): void {
    cancel(repo)
    if (!isCurrent(repo)) return
    const timer = setTimeout(() => {
      repo.scheduled = null
      // A running check does not see changes since its start.
      if (queue.has(repo)) return schedule(repo, 'change', intervalOf(repo))
      // Slow checks count for throttling, whatever their reason.
      if (reason === 'recheck' && intervalOf(repo) === minIntervalMs) repo.isFreeCheck = true
      queue.add(repo)
    }, afterMs)
    timer.unref()
    repo.scheduled = { reason, timer }
  }

  function changed(repo: WatchedRepo): void {
    if (repo.scheduled?.reason === 'change') return
    const sinceMs = performance.now() - repo.checkedAt
    schedule(repo, 'change', Math.max(debounceMs, intervalOf(repo) - sinceMs))
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
      const isShort = repo.files.length <= maxPaths
      if (isWatched && isShort && signatureOf(repo.files).text !== repo.times) changed(repo)
      if (repo.signature === '' && !repo.scheduled) schedule(repo, 'recheck', recheckMs)
    },
    updateCoverage(repo) {
      repo.isCovered = repo.signature !== '' && files.has(repo) && repo.isLocal === true
    },
  }
}
