/**
 * What a step's console shows, as a pure function of build, stage, step and log. Sources:
 * specification §4 ("Console display states"), §8 ("Console texts", "Console footer by step
 * status") and the numbered list in readings.md, of which the first match wins. An existing log is
 * always shown; a message is shown above it.
 */
import { texts, type Build } from '@flightdeck/api'

import { explainsStep, type FailedStage, type ShownStep } from './stage-error.ts'

export type ConsoleState = 'loading' | 'stream_on' | 'resolved' | 'no_logs_available' | 'error' | 'idle'
export type Tone = 'success' | 'danger' | 'warning'

export interface LogState {
  /**
   * `idle`: not requested. `loading`: requested, incomplete. `ready`: complete, possibly without
   * lines.
   */
  phase: 'idle' | 'loading' | 'ready' | 'failed'
  lines: number
  /** The error of the failed request. */
  error?: string
}

export interface ConsoleInput {
  build: Pick<Build, 'status' | 'error' | 'stages'> | undefined
  stage: FailedStage | undefined
  step: ShownStep | undefined
  log: LogState
}

export interface ConsoleView {
  state: ConsoleState
  /** Shown above the log, or instead of it while there are no lines. */
  message: string | undefined
  /** What the server reports about it, on separate lines. */
  detail: string | undefined
  messageTone: Tone
  footer: string
  tone: Tone
}

const fallback = 'Something went wrong, please, reload the page or restart the build'

/**
 * Specification §2: "success is success; failure, declined, error and killed are danger; anything
 * else is warning".
 */
export const toneOf = (status: string | undefined): Tone => {
  if (status === 'success') return 'success'
  return ['failure', 'declined', 'error', 'killed'].includes(status ?? '') ? 'danger' : 'warning'
}

/** Specification §8, "Console footer by step status". */
export const footerOf = (step: ConsoleInput['step']): string => {
  switch (step?.status) {
    case 'error':
      return step.error ?? ''
    case 'failure':
      return `Exit Code ${step.exit_code}`
    case 'success':
      return 'Exit Code 0'
    case 'running':
      return 'Step is running...'
    case 'pending':
      return 'Step is pending'
    case 'killed':
      return 'Step is killed (canceled)'
    default:
      return 'Loading...'
  }
}

/** None of these has run, so there is no log. */
const deferred = ['pending', 'skipped', 'waiting_on_dependencies', 'declined', 'blocked']

type Status = { status: string } | undefined
interface StageAndStep {
  stage: Status
  step: Status
}

/**
 * Specification §4: "Streaming when the step is running". A finished build or stage no longer
 * streams.
 */
export const isStreaming = ({ stage, step }: StageAndStep): boolean =>
  step?.status === 'running' && stage?.status !== 'error'

/**
 * Specification §4, "Saved logs are fetched only when …". A finished step in a running stage
 * already has its log, so `running` counts for the step only (otherwise the finished steps of a
 * running stage could not be read). A stage in error no longer streams, whatever its steps report.
 */
export const wantsSavedLog = ({ stage, step }: StageAndStep): boolean =>
  Boolean(stage?.status && step?.status) &&
  !deferred.includes(stage?.status ?? '') &&
  !deferred.includes(step?.status ?? '') &&
  (step?.status !== 'running' || stage?.status === 'error')

/** `build: test - Error`; for a stage that ended before its first step, without a step. */
const stageSays = (stage: { name: string }, step: { name: string } | undefined, what: string): string =>
  `${stage.name}: ${step ? `${step.name} ` : ''}- ${what}`

interface StateText {
  state: ConsoleState
  message?: string
  detail?: string | undefined
  tone?: Tone
}

const failedLog = (build: ConsoleInput['build'], error: string | undefined): string => {
  if (error === texts.noRows) return build?.status === 'killed' ? 'This pipeline was cancelled' : 'Step does not exist'
  return error ?? fallback
}

const noLines = ({ stage, step }: ConsoleInput): string =>
  step ? `${stage?.name ?? ''} - ${step.name}: ${step.status}` : `${stage?.name ?? ''}: ${stage?.status ?? ''}`

const waits = ['pending', 'waiting_on_dependencies', 'blocked']
const stateWithoutLines = ({ build, stage, step }: ConsoleInput): ConsoleState => {
  if ([build?.status, stage?.status, step?.status].some((status) => waits.includes(status ?? ''))) return 'loading'
  return step?.status === 'running' ? 'stream_on' : 'no_logs_available'
}

/**
 * A build that could not be read has no stages, a new one has none yet; otherwise the URL is wrong.
 */
const withoutStage = (build: NonNullable<ConsoleInput['build']>): StateText => {
  if (build.stages?.length) return { state: 'error', message: 'Step does not exist' }
  if (waits.includes(build.status) || build.status === 'running') return { state: 'loading' }
  return { state: 'no_logs_available', message: build.error || 'It looks a little empty here!' }
}

const withLines = (input: ConsoleInput): ConsoleState => (isStreaming(input) ? 'stream_on' : 'resolved')

/** The stage's error is shown, but loading the log failed too: that error must also be shown. */
const alsoLost = ({ phase, error }: LogState): string | undefined =>
  phase === 'failed' && error !== texts.noRows ? `The log could not be loaded: ${error ?? fallback}` : undefined

/** `undefined`: the stage has no error, or a different step was running when it failed. */
const stageError = ({ stage, step, log }: ConsoleInput): StateText | undefined => {
  if (!stage || !explainsStep(stage, step)) return undefined
  const error = { state: 'error', tone: 'danger' } as const
  // A successful step is not named in an error.
  if (step?.status === 'success') return { ...error, message: `${stage.name}: ${stage.error || 'Error'}` }
  const detail = [stage.error, alsoLost(log)].filter(Boolean).join('\n') || undefined
  return { ...error, message: stageSays(stage, step, 'Error'), detail, tone: toneOf(step?.status ?? 'error') }
}

/** The numbered list of readings.md. */
const stateTextOf = (input: ConsoleInput): StateText => {
  const { build, stage, step, log } = input
  if (!build) return { state: 'loading' }
  if (build.status === 'declined')
    return {
      state: log.lines > 0 ? withLines(input) : 'no_logs_available',
      message: 'This pipeline was declined',
      ...(log.lines > 0 && { tone: 'danger' }),
    }
  if (!stage) return withoutStage(build)
  if (stage.status === 'skipped') return { state: 'no_logs_available', message: `${stage.name}: Skipped` }
  const broken = stageError(input)
  if (broken) return broken
  if (log.lines > 0) return { state: withLines(input) }
  if (log.phase === 'loading') return { state: 'loading' }
  if (stage.status === 'killed')
    return { state: 'no_logs_available', message: stageSays(stage, step, 'Killed (Cancelled)') }
  if (step?.error) return { state: 'error', message: `${step.name}: ${step.error}` }
  if (log.phase === 'failed') return { state: 'error', message: failedLog(build, log.error) }
  return { state: stateWithoutLines(input), message: noLines(input) }
}

export const consoleView = (input: ConsoleInput): ConsoleView => {
  const { state, message, detail, tone: own } = stateTextOf(input)
  const tone = toneOf(input.step?.status ?? input.stage?.status ?? input.build?.status)
  return {
    state,
    message,
    detail,
    // A log that could not be loaded is an error, also for a successful step (specification §2).
    messageTone: own ?? (state === 'error' ? 'danger' : tone),
    footer: input.build ? footerOf(input.step) : 'Loading...',
    tone,
  }
}
