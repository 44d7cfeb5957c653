/**
 * Schedules jobs on worker threads. Only one job per repository runs at a time, the repositories
 * take turns, and those whose files recently timed out share a single thread: whatever one of them
 * pushes, the others continue.
 */
export interface JobQueue {
  /**
   * Runs `work` with the number of a free thread when it is its turn. The slot is released when its
   * promise settles.
   */
  run<T>(repoId: number, work: (thread: number) => Promise<T>): Promise<T>
  /** How many jobs of a repository wait. */
  waiting(repoId: number): number
}

export interface JobQueueOptions {
  threads: number
  /** Whether an error means that the job exceeded its limits. */
  isTooExpensive: (error: unknown) => boolean
  /** How long a repository counts as expensive, in milliseconds. */
  suspectMs: number
  now?: () => number
}

type Start = (thread: number) => Promise<unknown>

export const createJobQueue = ({
  threads,
  isTooExpensive,
  suspectMs,
  now = () => performance.now(),
}: JobQueueOptions): JobQueue => {
  /** Waiting jobs by repository; the first repository is next. */
  const queues = new Map<number, Start[]>()
  const free = new Set(Array.from({ length: threads }, (_, index) => index))
  const running = new Set<number>()
  const suspects = new Map<number, number>()

  const isSuspect = (repoId: number): boolean => {
    const until = suspects.get(repoId)
    if (until === undefined) return false
    if (until > now()) return true
    suspects.delete(repoId)
    return false
  }
  const canStart = (repoId: number): boolean => {
    if (running.has(repoId)) return false
    return !isSuspect(repoId) || ![...running].some(isSuspect)
  }
  const next = (): void => {
    for (const [repoId, jobs] of queues) {
      if (free.size === 0) return
      // Prefer the same thread, because it caches the files of recent jobs.
      const thread = Math.min(...free)
      const start = canStart(repoId) ? jobs.shift() : undefined
      if (!start) continue
      if (jobs.length === 0) queues.delete(repoId)
      void begin(repoId, thread, start)
    }
  }
  const begin = async (repoId: number, thread: number, start: Start): Promise<void> => {
    free.delete(thread)
    running.add(repoId)
    try {
      await start(thread)
    } catch (error) {
      if (isTooExpensive(error)) suspects.set(repoId, now() + suspectMs)
    } finally {
      running.delete(repoId)
      free.add(thread)
      const remaining = queues.get(repoId)
      // Move the repository to the end, so that repositories take turns.
      if (remaining && queues.delete(repoId)) queues.set(repoId, remaining)
      next()
    }
  }

  return {
    run: (repoId, work) =>
      new Promise((resolve, reject) => {
        const jobs = queues.get(repoId) ?? []
        jobs.push((thread) => {
          const result = work(thread)
          result.then(resolve, reject)
          return result
        })
        queues.set(repoId, jobs)
        next()
      }),
    waiting: (repoId) => queues.get(repoId)?.length ?? 0,
  }
}
