/**
 * Schedules jobs on worker threads. Only one job per repository runs at a time, the repositories take turns, and those whose
 * files recently timed out share a single thread: whatever one of them pushes, the others continue.
 */
export interface JobQueue {
  /** The place in line is over with what `work` answers; `work` gets the number of a thread. */
  run<T>(repoId: number, work: (thread: number) => Promise<T>): Promise<T>
  /** How many jobs of a repository wait. */
  waiting(repoId: number): number
}

export interface JobQueueOptions {
  threads: number
  /** Whether a failure means that the job cost more than it may. */
  isTooExpensive: (error: unknown) => boolean
  /** How long a repository counts as expensive, in milliseconds. */
  suspicion: number
  now?: () => number
}

type Start = (thread: number) => Promise<unknown>

export const createJobQueue = ({
  threads,
  isTooExpensive,
  suspicion,
  now = () => performance.now(),
}: JobQueueOptions): JobQueue => {
  /** By repository, the one whose turn it is first. */
  const lines = new Map<number, Start[]>()
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
  const mayStart = (repoId: number): boolean => {
    if (running.has(repoId)) return false
    return !isSuspect(repoId) || ![...running].some(isSuspect)
  }
  const next = (): void => {
    for (const [repoId, line] of lines) {
      if (free.size === 0) return
      // The same one as long as it is enough: it remembers the files of the last jobs.
      const thread = Math.min(...free)
      const start = mayStart(repoId) ? line.shift() : undefined
      if (!start) continue
      if (line.length === 0) lines.delete(repoId)
      void begin(repoId, thread, start)
    }
  }
  const begin = async (repoId: number, thread: number, start: Start): Promise<void> => {
    free.delete(thread)
    running.add(repoId)
    try {
      await start(thread)
    } catch (error) {
      if (isTooExpensive(error)) suspects.set(repoId, now() + suspicion)
    } finally {
      running.delete(repoId)
      free.add(thread)
      const rest = lines.get(repoId)
      // Behind the others.
      if (rest && lines.delete(repoId)) lines.set(repoId, rest)
      next()
    }
  }

  return {
    run: (repoId, work) =>
      new Promise((resolve, reject) => {
        const line = lines.get(repoId) ?? []
        line.push((thread) => {
          const result = work(thread)
          result.then(resolve, reject)
          return result
        })
        lines.set(repoId, line)
        next()
      }),
    waiting: (repoId) => lines.get(repoId)?.length ?? 0,
  }
}
