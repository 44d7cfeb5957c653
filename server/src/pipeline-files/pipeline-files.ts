/** Parses pipeline files in worker threads: returns their content, or why they cannot be read (`ConfigError`). */
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
  /** Refuses with 429 where too many of the repository wait. */
  sign(repoId: number, job: Without<SignJob>): Promise<Answers['sign']>
  /** Refuses with 429 where too many of the repository wait. */
  step(repoId: number, job: Without<StepJob>): Promise<Answers['step']>
  /** The commands of stages, for an approval; null if the file cannot be read, or too many jobs of the repository wait. */
  commands(repoId: number, job: Without<CommandsJob>): Promise<Answers['commands'] | null>
  /** The line that an error is about; null, too, where that would take long. */
  locate(repoId: number, job: Without<LocateJob>): Promise<Answers['locate']>
  /** Which secrets the pipelines ask for; null where the file cannot be read, or too many of the repository wait. */
  secrets(repoId: number, job: Without<SecretsJob>): Promise<Answers['secrets'] | null>
  /** The line of a log with the cause; null as well if the search takes too long. */
  cause(repoId: number, log: FailedLog): Promise<FoundCause | null>
  close(): Promise<void>
}

export interface PipelineFilesOptions {
  /** The program of the threads: `worker.ts`, bundled. */
  script: string
  threads?: number
  /** Milliseconds that one file may take. */
  time?: number
  /** Megabytes that one file may take. */
  memory?: number
}

/** Of one repository; each may be a text of a megabyte. */
const maxWaiting = 10
/** How long a repository with such a file, and the file, are remembered. */
const suspicion = 60_000
const maxGivenUp = 100

/** The texts that had to be given up: the same one on forty tags costs its two seconds once. */
const createGivenUp = () => {
  const known = createLruCache<TooExpensiveError>({ maxSize: maxGivenUp, sizeOf: countEntries, ttlMs: suspicion })
  const keyOf = ({ kind, text }: FileJob): string => createHash('sha256').update(kind).update(text).digest('base64')
  return {
    find(job: FileJob): TooExpensiveError | undefined {
      return known.size() === 0 ? undefined : known.get(keyOf(job))
    },
    add(job: FileJob, error: TooExpensiveError): void {
      known.set(keyOf(job), error)
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
  const line = createJobQueue({ threads: count, isTooExpensive, suspicion })
  const givenUp = createGivenUp()
  const plans = createPlanCache()
  let closed = false

  const work = async (job: FileJob, thread: Thread | undefined): Promise<string> => {
    const known = givenUp.find(job)
    if (known) throw known
    if (closed || !thread) throw new Error('the server is stopping')
    return thread.run(job).catch((error: unknown) => {
      if (error instanceof TooExpensiveError) givenUp.add(job, error)
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
    const outcome = JSON.parse(await through(() => line.run(repoId, (thread) => work(job, threads[thread])))) as Outcome
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
      if (line.waiting(repoId) >= maxWaiting) throw new Refusal(429, 'Too many files are waiting to be signed')
      return run(repoId, { kind: 'sign', ...job })
    },
    step: async (repoId, job) => {
      if (line.waiting(repoId) >= maxWaiting) throw new Refusal(429, 'Too many files are waiting to be read')
      return run(repoId, { kind: 'step', ...job })
    },
    commands: async (repoId, job) =>
      line.waiting(repoId) >= maxWaiting ? null : run(repoId, { kind: 'commands', ...job }).catch(() => null),
    locate: async (repoId, job) =>
      line.waiting(repoId) >= maxWaiting ? null : run(repoId, { kind: 'locate', ...job }).catch(() => null),
    secrets: async (repoId, job) =>
      line.waiting(repoId) >= maxWaiting ? null : run(repoId, { kind: 'secrets', ...job }).catch(() => null),
    async cause(repoId, log) {
      // A log that takes too long says nothing about the repository's file.
      const work = (thread: Thread | undefined) =>
        closed || !thread ? null : thread.run({ kind: 'cause', log }).catch(() => null)
      const text = await line.run(repoId, async (thread) => work(threads[thread]))
      const outcome = text === null ? null : (JSON.parse(text) as Outcome)
      return outcome && 'answer' in outcome ? (outcome.answer as Answers['cause']) : null
    },
    async close() {
      closed = true
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}
