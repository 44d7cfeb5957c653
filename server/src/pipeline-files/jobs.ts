/**
 * All processing of pipeline file texts. It runs in a worker, since the text is untrusted:
 * the job and its result are plain data, and both are limited.
 */
import type { LeftOut, SecretUse, StageCommands } from '@flightdeck/api'
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../lib/same-secret.ts'
import type { BuildInput } from '../pipeline/conditions.ts'
import { ConfigError, stageName, type EnvironmentValue, type PipelineFile } from '../pipeline/doc.ts'
import { lintExec } from '../pipeline/lint-exec.ts'
import { lint } from '../pipeline/lint.ts'
import { lineOfPosition, parsePipelines, textToSign, type InlineSecret } from '../pipeline/parse.ts'
import { listSkippedPipelines, planBuild, type StagePlan } from '../pipeline/plan.ts'
import { secretUses } from '../pipeline/secret-names.ts'
import { readSettings } from '../pipeline/settings-text.ts'
import { planSteps, type StepPlan } from '../pipeline/steps.ts'
import { substitute } from '../pipeline/substitute.ts'
import { causeOf, type FailedLog, type FoundCause } from './find-cause.ts'
import { createMemoize } from './memoize.ts'
import { errorMessage } from '../lib/error-message.ts'
import { stageCommands } from './stage-commands.ts'

/** The stages of a build (docs/api §5.2, steps 6 to 13). */
export interface PlanJob {
  kind: 'plan'
  text: string
  input: BuildInput
  /** Whether the stages wait for approval. */
  gate: 'open' | 'closed' | 'open if signed'
  /** The stages wait for an approval regardless of the gate. */
  isHeld?: boolean
  /** Of the repository; signatures are made with it. */
  secret: string
}

/** The steps of one stage (docs/api §7.6, point 5). */
export interface PrepareJob {
  kind: 'prepare'
  text: string
  stage: string
  variables: Record<string, string>
  input: BuildInput & { instance: string }
}

export interface StageSteps {
  steps: StepPlan[]
  /** Of all steps, below their own. */
  environment: Record<string, EnvironmentValue>
  secrets: InlineSecret[]
}

/** The signature of a file (docs/api §6.6). */
export interface SignJob {
  kind: 'sign'
  text: string
  secret: string
}

/** One step of any type, to be run by hand. */
export interface StepJob {
  kind: 'step'
  text: string
  stage: string
  step: string
  variables: Record<string, string>
}

/** What some stages of a file run, to be read before they are approved. */
export interface CommandsJob {
  kind: 'commands'
  text: string
  stages: readonly string[]
}

/** The line that an error is about: of the whole file, or of one of its stages. */
export interface LocateJob {
  kind: 'locate'
  text: string
  error: string
  stage?: string
}

/** Which secrets the pipelines of a file ask for. */
export interface SecretsJob {
  kind: 'secrets'
  text: string
}

/**
 * Finds the line with the cause of a step's failure. A log is not a file's text, but as limited and
 * untrusted.
 */
export interface CauseJob {
  kind: 'cause'
  log: FailedLog
}

export interface StepText {
  /** `exec`, `docker` or another one. */
  type: string
  image: string
  commands: readonly string[]
  /** The pipeline's and the step's own; secrets by name. */
  environment: Readonly<Record<string, EnvironmentValue>>
  /** The names of the steps before it. */
  before: readonly string[]
}

export type FileJob = PlanJob | PrepareJob | SignJob | StepJob | CommandsJob | LocateJob | SecretsJob
export type Job = FileJob | CauseJob
export interface Answers {
  /** `leftOut`: the pipelines that get no stage. */
  plan: { stages: StagePlan[]; gated: boolean; leftOut: LeftOut[] }
  prepare: StageSteps
  sign: string
  step: StepText
  commands: StageCommands[]
  /** From 1; null if the line is unknown. */
  locate: number | null
  cause: FoundCause | null
  secrets: SecretUse[]
}
/** `error` is the text of the error build. */
export type Outcome = { answer: Answers[Job['kind']] } | { error: string }

/**
 * Characters of a result. It is stored, published and sent to pages, so anchors must not multiply
 * it.
 */
const maxAnswered = 1_000_000
const maxErrorLength = 10_000
/** Characters of all that is remembered of files. */
const maxRemembered = 8_000_000

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex')

/** With an empty secret anyone could sign. */
const isSigned = (secret: string, file: PipelineFile): boolean =>
  secret !== '' && isSameSecret(file.signature ?? '', hmac(secret, file.signedText))

const isGated = ({ gate, secret }: PlanJob, file: PipelineFile): boolean =>
  gate === 'closed' || (gate === 'open if signed' && !isSigned(secret, file))

const failure = (error: unknown): string => {
  const text = errorMessage(error)
  // The text contains names from the file, of any length; every list of builds shows it.
  return (error instanceof ConfigError ? text : `yaml: the file cannot be read (${text})`).slice(0, maxErrorLength)
}

/** Some `${…}` holds a line break. */
const spansLines = (text: string): boolean =>
  text.split('${').some((part, index) => {
    const end = index === 0 ? 0 : part.indexOf('}')
    const lineFeed = part.indexOf('\n')
    return index > 0 && end >= 0 && lineFeed >= 0 && lineFeed < end
  })

/**
 * Runs jobs and returns an `Outcome` as JSON, always. Parsed files are cached: each is parsed once
 * for all its tags and stages.
 */
export const createJobs = (parse = parsePipelines): ((job: Job) => string) => {
  const files = createMemoize<PipelineFile>(maxRemembered)
  const read = (text: string): PipelineFile => files(text, () => parse(text))

  /** Lines refer to the file as written, before substitution. */
  const readSubstituted = ({ text, variables }: Pick<PrepareJob, 'text' | 'variables'>): PipelineFile => {
    const substituted = substitute(text, variables)
    try {
      return read(substituted)
    } catch (error) {
      const isMoved = substituted.split('\n').length !== text.split('\n').length || spansLines(text)
      if (!(error instanceof ConfigError) || !isMoved || !/\bline \d/.test(error.message)) throw error
      throw new ConfigError(`${error.message} (lines are counted after \${…} was replaced)`)
    }
  }

  const plan = (job: PlanJob): Answers['plan'] => {
    const file = read(job.text)
    lint(file.pipelines)
    const gated = isGated(job, file)
    const stages = planBuild(file.pipelines, job.input, { gated: gated || job.isHeld === true })
    return { stages, gated, leftOut: listSkippedPipelines(file.pipelines, job.input) }
  }
  const prepare = (job: PrepareJob): StageSteps => {
    const file = readSubstituted(job)
    const doc = file.pipelines.find((candidate) => candidate.type === 'exec' && stageName(candidate) === job.stage)
    if (!doc) throw new ConfigError('resource not found')
    lintExec(doc)
    return { steps: planSteps(doc, job.input), environment: { ...doc.environment }, secrets: file.secrets }
  }
  const step = (job: StepJob): StepText => {
    const { pipelines } = readSubstituted(job)
    const doc = pipelines.find((candidate) => stageName(candidate) === job.stage)
    const at = doc?.steps.findIndex(({ name }) => name === job.step) ?? -1
    const found = doc?.steps[at]
    if (!doc || !found) throw new ConfigError(`${job.step} is not a step of the pipeline file`)
    return {
      type: doc.type,
      image: found.image ?? '',
      commands: found.commands,
      environment: { ...doc.environment, ...found.environment },
      before: doc.steps.slice(0, at).map(({ name }) => name),
    }
  }
  const commands = ({ text, stages }: CommandsJob): StageCommands[] => {
    const names = new Set(stages)
    const settings = readSettings(text)
    let left = maxAnswered / 4
    const all = read(text).pipelines.flatMap((doc, index) =>
      names.has(stageName(doc)) ? [stageCommands(doc, settings[index])] : [],
    )
    return all.map((stage) => {
      left -= JSON.stringify(stage).length
      return left >= 0 ? stage : { stage: stage.stage, steps: [], cut: true }
    })
  }
  /**
   * Does again what failed. Of a file that has variables the error may be another one: then there
   * is no line.
   */
  const locate = ({ text, error, stage }: LocateJob): number | null => {
    try {
      const { pipelines } = read(text)
      if (stage === undefined) lint(pipelines)
      for (const [index, doc] of pipelines.entries()) if (stageName(doc) === stage) lintExec(doc, index)
    } catch (found) {
      if (!(found instanceof ConfigError) || failure(found) !== error || found.at === undefined) return null
      return (typeof found.at === 'number' ? found.at : lineOfPosition(text, found.at)) ?? null
    }
    return null
  }
  const answer = (job: Job): Answers[Job['kind']] => {
    if (job.kind === 'plan') return plan(job)
    if (job.kind === 'prepare') return prepare(job)
    if (job.kind === 'step') return step(job)
    if (job.kind === 'commands') return commands(job)
    if (job.kind === 'locate') return locate(job)
    if (job.kind === 'secrets') return secretUses(job.text)
    if (job.kind === 'cause') return causeOf(job.log)
    return hmac(job.secret, textToSign(job.text))
  }
  return (job) => {
    try {
      const text = JSON.stringify({ answer: answer(job) } satisfies Outcome)
      if (text.length <= maxAnswered) return text
      throw new ConfigError(
        `yaml: the file expands to too much: more than ${maxAnswered} characters of ${job.kind === 'plan' ? 'stages' : 'steps'}`,
      )
    } catch (error) {
      return JSON.stringify({ error: failure(error) } satisfies Outcome)
    }
  }
}
