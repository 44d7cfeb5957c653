/**
 * Parses pipeline files in worker threads: returns their content, or why they cannot be read
 * (`ConfigError`).
 */
import { createHash } from 'node:crypto'
import { ConfigError } from '../pipeline/doc.ts'
import { limits } from '../pipeline/documents.ts'
import { countEntries, createLruCache } from '../lib/cache.ts'
import { Refusal } from '../lib/refusal.ts'
import type { FailedLog, FoundCause } from './find-cause.ts'
import type {
  Answers,
  CommandsJob,
  FileJob,
  LocateJob,
  Outcome,
  PlanJob,
  PrepareJob,
  SecretsJob,
  SignJob,
  StepJob,
} from './jobs.ts'
import { createJobQueue } from './job-queue.ts'
import { createPlanCache } from './plan-cache.ts'
import { Thread, TooExpensiveError } from './worker-thread.ts'

type Without<T> = Omit<T, 'kind'>

export interface PipelineFiles {
  plan(repoId: number, job: Without<PlanJob>): Promise<Answers['plan']>
  prepare(repoId: number, job: Without<PrepareJob>): Promise<Answers['prepare']>
  /** Throws a 429 if too many jobs of the repository are waiting. */
  sign(repoId: number, job: Without<SignJob>): Promise<Answers['sign']>
  /** Throws a 429 if too many jobs of the repository are waiting. */
  step(repoId: number, job: Without<StepJob>): Promise<Answers['step']>
  /**
   * The commands of stages, for an approval; null if the file cannot be read, or too many jobs are
   * waiting.
   */
  commands(repoId: number, job: Without<CommandsJob>): Promise<Answers['commands'] | null>
  /**
   * The line that an error is about; null if it is unknown, or too many jobs of the repository are
   * waiting.
   */
  locate(repoId: number, job: Without<LocateJob>): Promise<Answers['locate']>
  /**
   * The secrets that the pipelines use; null if the file cannot be read, or too many jobs are
   * waiting.
   */
  secrets(repoId: number, job: Without<SecretsJob>): Promise<Answers['secrets'] | null>
  /** The log line with the cause; null if there is none or the search takes too long. */
  cause(repoId: number, log: FailedLog): Promise<FoundCause | null>
  close(): Promise<void>
}

export interface PipelineFilesOptions {
  /** Path of the bundled program of the threads, `pipeline-worker.ts`. */
  script: string
  threads?: number
  /** Milliseconds that one file may take. */
  time?: number
  /** Megabytes that one file may take. */
  memory?: number
}

/** Jobs of one repository; the text of each can have a megabyte. */
const maxWaiting = 10
/**
 * How long a file that exceeded a limit is refused without another attempt, and its repository
 * shares one thread.
 */
const suspectMs = 60_000
const maxTooExpensive = 100

/** Texts that exceeded a limit: the same file on forty tags takes its two seconds only once. */
const createTooExpensiveTexts = () => {
  const errors = createLruCache<TooExpensiveError>({ maxSize: maxTooExpensive, sizeOf: countEntries, ttlMs: suspectMs })
  const keyOf = ({ kind, text }: FileJob): string => createHash('sha256').update(kind).update(text).digest('base64')
  return {
    find(job: FileJob): TooExpensiveError | undefined {
      return errors.size() === 0 ? undefined : errors.get(keyOf(job))
    },
    add(job: FileJob, error: TooExpensiveError): void {
      errors.set(keyOf(job), error)
    },
  }
}

export const createPipelineFiles = ({
  script,
  threads: count = 2,
  time = 2_000,
  memory = 256,
}: PipelineFilesOptions): PipelineFiles => {
  const threads = Array.from({ length: count }, () => new Thread({ script, time, memory }))
  const isTooExpensive = (error: unknown): boolean => error instanceof TooExpensiveError
  const queue = createJobQueue({ threads: count, isTooExpensive, suspectMs })
  const tooExpensive = createTooExpensiveTexts()
  const plans = createPlanCache()
  let closed = false

  const work = async (job: FileJob, thread: Thread | undefined): Promise<string> => {
    const match = tooExpensive.find(job)
    if (match) throw match
    if (closed || !thread) throw new Error('the server is stopping')
    return thread.run(job).catch((error: unknown) => {
      if (error instanceof TooExpensiveError) tooExpensive.add(job, error)
      throw error
    })
  }
  const run = async <Kind extends FileJob['kind']>(
    repoId: number,
    job: FileJob & { kind: Kind },
    through = (read: () => Promise<string>) => read(),
  ): Promise<Answers[Kind]> => {
    if (job.text.length > limits.text) {
      throw new ConfigError(`yaml: the file is larger than ${limits.text} characters`)
    }
    const outcome = JSON.parse(
      await through(() => queue.run(repoId, (thread) => work(job, threads[thread]))),
    ) as Outcome
    if ('error' in outcome) throw new ConfigError(outcome.error)
    return outcome.answer as Answers[Kind]
  }

  return {
    plan(repoId, job) {
      const full = { kind: 'plan' as const, ...job }
      return run(repoId, full, (read) => plans.of(full, read))
    },
    prepare: (repoId, job) => run(repoId, { kind: 'prepare', ...job }),
    sign: async (repoId, job) => {
      if (queue.waiting(repoId) >= maxWaiting) throw new Refusal(429, 'Too many files are waiting to be signed')
      return run(repoId, { kind: 'sign', ...job })
    },
    step: async (repoId, job) => {
      if (queue.waiting(repoId) >= maxWaiting) throw new Refusal(429, 'Too many files are waiting to be read')
      return run(repoId, { kind: 'step', ...job })
    },
    commands: async (repoId, job) =>
      queue.waiting(repoId) >= maxWaiting ? null : run(repoId, { kind: 'commands', ...job }).catch(() => null),
    locate: async (repoId, job) =>
      queue.waiting(repoId) >= maxWaiting ? null : run(repoId, { kind: 'locate', ...job }).catch(() => null),
    secrets: async (repoId, job) =>
      queue.waiting(repoId) >= maxWaiting ? null : run(repoId, { kind: 'secrets', ...job }).catch(() => null),
    async cause(repoId, log) {
      // Errors are caught inside the job, so that a slow log does not mark the repository's files
      // as too expensive.
      const work = (thread: Thread | undefined) =>
        closed || !thread ? null : thread.run({ kind: 'cause', log }).catch(() => null)
      const text = await queue.run(repoId, async (thread) => work(threads[thread]))
      const outcome = text === null ? null : (JSON.parse(text) as Outcome)
      return outcome && 'answer' in outcome ? (outcome.answer as Answers['cause']) : null
    },
    async close() {
      closed = true
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}
