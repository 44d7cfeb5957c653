/**
 * For tests: a runner that talks to a server like the recorded official ones (docs/api §7.6) –
 * polls, accept, details, watch, reports with versions, live lines in batches, the whole log – and
 * makes mistakes on demand. `run` decides what a step does.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Line, Stage, Step } from '@flightdeck/api'
import type { PipelineDoc } from '../../pipeline/doc.ts'
import { parsePipelines } from '../../pipeline/parse.ts'
import { createClient, Refused, type Client } from './client.ts'

/** Mistakes, each with a probability from 0 to 1. */
export interface Faults {
  /** Sends a report or batch twice. */
  duplicate?: number
  /** Sends a batch before the previous one. */
  reorder?: number
  /** Sends a report with the previous version. */
  stale?: number
}

export interface StepContext {
  details: Details
  stage: Stage
  step: Step
  signal: AbortSignal
  log: (out: string) => void
}

export interface PlayerOptions {
  server: string
  secret: string
  name: string
  capacity: number
  filter?: Record<string, unknown>
  /**
   * Milliseconds between two attempts (10 s in official runners), and between two batches of lines
   * (1 s).
   */
  pauseMs?: number
  batchMs?: number
  faults?: Faults
  /** Returns the exit code. By default prints the name of the step. */
  run?: (context: StepContext) => Promise<number>
  /** Removes the shared resources of a stage's steps, whatever its result. */
  destroy?: (stage: Stage) => Promise<void>
  /**
   * Called at every point where a runner may crash: `accepted`, `running`, `step`, `logged`,
   * `uploaded`, `done`.
   */
  at?: (point: string, stage: Stage) => void
}

export interface Details {
  build: { id: number; number: number; after: string; ref: string }
  stage: Stage
  system: { proto: string; host: string; version: string }
  config: { Data: string }
  secrets: { name: string; data: string }[] | null
  netrc: { machine: string; login: string; password: string } | null
  repository: { slug: string; git_http_url: string; timeout: number }
}

export interface Player {
  /** Ids of stages that were reported as done; a duplicate ran twice. */
  readonly finished: readonly number[]
  /** Like `kill -9`: sends nothing more. */
  kill(): void
  /** Resolves when all slots are idle. */
  readonly ended: Promise<unknown>
}

const now = () => Math.floor(Date.now() / 1000)

export function startPlayer(options: PlayerOptions): Player {
  const { pauseMs = 10_000, filter = { kind: 'pipeline', type: 'exec', os: 'linux', arch: 'amd64' } } = options
  const client = createClient({ ...options, pauseMs })
  const life = new AbortController()
  const finished: number[] = []

  async function runSlot(): Promise<void> {
    while (!life.signal.aborted) {
      try {
        const found = await client.json<Stage>('POST', '/stage', filter, life.signal)
        const machine = encodeURIComponent(options.name)
        const stage = await client.json<Stage>('POST', `/stage/${found.id}?machine=${machine}`, undefined, life.signal)
        options.at?.('accepted', stage)
        await runStage(options, client, stage, life.signal)
        finished.push(stage.id)
        options.at?.('done', stage)
      } catch (error) {
        // Another runner was faster, or the stage was canceled: take the next one.
        if (!(error instanceof Refused) && !life.signal.aborted) throw error
      }
    }
  }
  async function work(): Promise<void> {
    await client.call('POST', '/ping', undefined, life.signal)
    await Promise.all(Array.from({ length: options.capacity }, runSlot))
  }
  return {
    finished,
    kill: () => life.abort(),
    ended: work().catch((error: unknown) => {
      if (!life.signal.aborted) throw error
    }),
  }
}

/** The pipeline that this stage was made from. */
export function docOf({ config, stage }: Pick<Details, 'config' | 'stage'>): PipelineDoc | undefined {
  const { pipelines } = parsePipelines(Buffer.from(config.Data, 'base64').toString('utf8'))
  return pipelines.find((one) => (one.name || 'default') === stage.name)
}

/**
 * The names of the steps in the order of a runner's numbers, clone first (docs/api §5.7 "step
 * numbers").
 */
function stepsOf(details: Details): string[] {
  const doc = docOf(details)
  const names = (doc?.steps ?? []).map((step) => step.name)
  return doc?.clone.disable ? names : ['clone', ...names]
}

async function runStage(options: PlayerOptions, client: Client, accepted: Stage, life: AbortSignal): Promise<void> {
  const details = await client.json<Details>('GET', `/stage/${accepted.id}`, undefined, life)
  const ended = new AbortController()
  const signal = AbortSignal.any([life, ended.signal])
  const cancelled = new AbortController()
  void client.call('POST', `/build/${details.build.id}/watch`, undefined, signal).then(
    () => cancelled.abort(),
    () => {},
  )
  try {
    const plannedSteps = stepsOf(details).map((name, index) => ({
      id: 0,
      step_id: accepted.id,
      number: index + 1,
      name,
      status: 'pending' as const,
      exit_code: 0,
      version: 0,
    }))
    const { machine = options.name } = accepted
    const started = { ...details.stage, machine, version: accepted.version, status: 'running' as const, started: now() }
    let stage = await report<Stage>(options, client, 'stage', { ...started, steps: plannedSteps }, life)
    options.at?.('running', stage)
    const steps: Step[] = []
    for (const step of stage.steps ?? []) {
      const failed = steps.some((done) => done.status !== 'success')
      if (cancelled.signal.aborted || failed) {
        steps.push({ ...step, status: 'skipped', started: now(), stopped: now() })
      } else steps.push(await runStep(options, client, { details, stage, step }, cancelled.signal, life))
    }
    const bad = steps.find((step) => step.status !== 'success')
    const status = cancelled.signal.aborted ? 'killed' : bad ? 'failure' : 'success'
    stage = { ...stage, status, exit_code: status === 'killed' ? 137 : 0, stopped: now(), steps }
    await report(options, client, 'stage', stage, life)
  } finally {
    ended.abort()
    await options.destroy?.(details.stage)
  }
}

async function runStep(
  options: PlayerOptions,
  client: Client,
  { details, stage, step }: { details: Details; stage: Stage; step: Step },
  cancelled: AbortSignal,
  life: AbortSignal,
): Promise<Step> {
  const { batchMs = 1_000, faults = {}, run = say } = options
  const running = await report(options, client, 'step', { ...step, status: 'running', started: now() }, life)
  options.at?.('step', stage)
  const lines: Line[] = []
  let sent = 0
  let delayed: Line[] | undefined
  const startedAt = Date.now()
  const send = async (last: boolean) => {
    const batch = lines.slice(sent)
    sent = lines.length
    if (batch.length > 0 && delayed === undefined && !last && chance(faults.reorder)) {
      delayed = batch
      return
    }
    const path = `/step/${step.id}/logs/batch`
    if (batch.length > 0) await client.tell(path, batch, life)
    if (batch.length > 0 && chance(faults.duplicate)) await client.tell(path, batch, life)
    if (delayed) await client.tell(path, delayed, life)
    delayed = undefined
  }
  const over = new AbortController()
  const sending = (async () => {
    while (!over.signal.aborted) {
      await delay(batchMs, undefined, { signal: over.signal }).catch(() => {})
      await send(over.signal.aborted)
    }
  })()
  const log = (out: string) => lines.push({ pos: lines.length, out, time: Math.floor((Date.now() - startedAt) / 1000) })
  let code = 255
  try {
    code = await run({ details, stage, step, signal: AbortSignal.any([cancelled, life]), log })
  } catch (error) {
    life.throwIfAborted()
    if (!cancelled.aborted) log(`${String(error)}\n`)
  } finally {
    over.abort()
    await sending.catch(() => {})
  }
  options.at?.('logged', stage)
  await client.call('POST', `/step/${step.id}/logs/upload`, lines.length > 0 ? lines : 'null', life)
  options.at?.('uploaded', stage)
  // A killed step is not reported separately (docs/api §5.6).
  if (cancelled.aborted) return { ...running, status: 'killed', exit_code: 137, stopped: now() }
  const status = code === 0 ? 'success' : 'failure'
  return report(options, client, 'step', { ...running, status, exit_code: code, stopped: now() }, life)
}

const chance = (share = 0): boolean => Math.random() < share

const say = async ({ step, log }: StepContext): Promise<number> => {
  log(`this is ${step.name}\n`)
  return 0
}

/** Sends a report, and before and after it reports that must change nothing. */
async function report<T extends Stage | Step>(
  { faults = {} }: PlayerOptions,
  client: Client,
  kind: 'stage' | 'step',
  what: T,
  life: AbortSignal,
): Promise<T> {
  const path = `/${kind}/${what.id}`
  if (chance(faults.stale))
    await client.call('PUT', path, { ...what, version: what.version - 1 }, life).catch(refusedOnly)
  const answer = await client.json<T>('PUT', path, what, life)
  if (chance(faults.duplicate)) await client.call('PUT', path, what, life).catch(refusedOnly)
  // The fields that a runner takes over from the response (docs/api §7.6, point 7).
  return { ...what, ...answer }
}

function refusedOnly(error: unknown): void {
  if (!(error instanceof Refused)) throw error
}
