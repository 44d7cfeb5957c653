/**
 * What the console of a step shows, as one pure function of build, stage, step and log. Sources: specification §4
 * ("Console display states"), §8 ("Console texts", "Console footer by step status") and the numbered list in
 * readings.md, of which the first match wins.
 */
import { texts, type Build, type Stage, type Step } from '@flightdeck/api'

export type ConsoleState = 'loading' | 'stream_on' | 'resolved' | 'no_logs_available' | 'error' | 'idle'
export type Tone = 'success' | 'danger' | 'warning'

export interface LogState {
  /** `idle`: not asked for. `loading`: asked for, not all here. `ready`: all here, perhaps no line. */
  phase: 'idle' | 'loading' | 'ready' | 'failed'
  lines: number
  /** What the failed call said. */
  error?: string
}

export interface ConsoleInput {
  build: Pick<Build, 'status' | 'error' | 'stages'> | undefined
  stage: Pick<Stage, 'status' | 'name'> | undefined
  step: Pick<Step, 'status' | 'name' | 'error' | 'exit_code'> | undefined
  log: LogState
}

export interface ConsoleView {
  state: ConsoleState
  /** Said in place of the log. */
  message: string | undefined
  footer: string
  tone: Tone
}

const fallback = 'Something went wrong, please, reload the page or restart the build'

/** Specification §2: "success is success; failure, declined, error and killed are danger; anything else is warning". */
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

const deferred = ['pending', 'skipped', 'waiting_on_dependencies']

/** Specification §4: "Streaming when the step is running". A build or stage that has ended streams no more. */
export const isStreaming = ({ stage, step }: Pick<ConsoleInput, 'stage' | 'step'>): boolean =>
  step?.status === 'running' && stage?.status !== 'error'

/**
 * Specification §4, "Saved logs are fetched only when …". A step that is done in a stage that still runs has its log
 * already, so that `running` counts for the step only (else the finished steps of a running stage could not be read).
 */
export const wantsSavedLog = ({ stage, step }: Pick<ConsoleInput, 'stage' | 'step'>): boolean =>
  Boolean(stage?.status && step?.status) &&
  !deferred.includes(stage?.status ?? '') &&
  ![...deferred, 'running'].includes(step?.status ?? '')

/** `build: test - Error`; a stage that ended before its first step has no step to name. */
const stageSays = (stage: { name: string }, step: { name: string } | undefined, what: string): string =>
  `${stage.name}: ${step ? `${step.name} ` : ''}- ${what}`

interface Said {
  state: ConsoleState
  message?: string
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

/** A build that could not be read has no stages, one that was made just now has none yet; else the address is wrong. */
const withoutStage = (build: NonNullable<ConsoleInput['build']>): Said => {
  if (build.stages?.length) return { state: 'error', message: 'Step does not exist' }
  if (waits.includes(build.status) || build.status === 'running') return { state: 'loading' }
  return { state: 'no_logs_available', message: build.error || 'It looks a little empty here!' }
}

/** The numbered list of readings.md. */
const say = (input: ConsoleInput): Said => {
  const { build, stage, step, log } = input
  if (!build) return { state: 'loading' }
  if (build.status === 'declined') return { state: 'no_logs_available', message: 'This pipeline was declined' }
  if (!stage) return withoutStage(build)
  if (stage.status === 'skipped') return { state: 'no_logs_available', message: `${stage.name}: Skipped` }
  if (stage.status === 'error') return { state: 'error', message: stageSays(stage, step, 'Error') }
  if (log.lines > 0) return { state: isStreaming(input) ? 'stream_on' : 'resolved' }
  if (log.phase === 'loading') return { state: 'loading' }
  if (stage.status === 'killed')
    return { state: 'no_logs_available', message: stageSays(stage, step, 'Killed (Cancelled)') }
  if (step?.error) return { state: 'error', message: `${step.name}: ${step.error}` }
  if (log.phase === 'failed') return { state: 'error', message: failedLog(build, log.error) }
  return { state: stateWithoutLines(input), message: noLines(input) }
}

export const consoleView = (input: ConsoleInput): ConsoleView => {
  const said = say(input)
  return {
    state: said.state,
    message: said.message,
    footer: input.build ? footerOf(input.step) : 'Loading...',
    tone: toneOf(input.step?.status ?? input.stage?.status ?? input.build?.status),
  }
}
