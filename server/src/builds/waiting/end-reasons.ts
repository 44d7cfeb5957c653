/**
 * Why something was skipped, or was ended by something other than its own steps. Pure; the only
 * place that decides it, from a build's rows alone. Add new kinds of end reasons here.
 */
import { isDone, isFailed, type Build, type Ended, type Stage, type Step, type Waiting } from '@flightdeck/api'
import { restartText } from '../../interfaces/runner.ts'
import {
  canceled,
  conditional,
  declined,
  dependency,
  endedEarly,
  failedBefore,
  needs,
  onlyAfterFailure,
  restarted,
  stageFailed,
  stepsBefore,
  supersededReason,
  timedOut,
} from './reason-texts.ts'

/** docs/api §5.7: a step with this code ends its stage early and well. */
const earlyExit = 78
/** docs/api §1.5: the exit code of a stage that its runner ended; a canceled stage keeps 0. */
const endedByRunner = 137

const wordOn = (by: string | undefined, at: number | undefined) => (by ? { by, at: at ?? 0 } : undefined)

/** Why the build was ended from outside; its stages and steps inherit the reason. */
const endOfBuild = (build: Build): Ended | undefined => {
  if (build.status === 'skipped') return supersededReason()
  if (build.error === restartText) return restarted()
  if (build.status !== 'killed') return undefined
  const cancellation = wordOn(build.canceled_by, build.canceled)
  if (cancellation) return canceled(cancellation)
  return build.canceled ? timedOut() : undefined
}

const declineOf = ({ declined: at, declined_by: by }: Build | Stage): Ended | undefined => {
  const refusal = wordOn(by, at)
  return refusal && declined(refusal)
}

/** Of a build as a list shows it. */
export const endedBuild = (build: Build): Ended | undefined =>
  build.status === 'declined' ? declineOf(build) : endOfBuild(build)

/** What it names and what did not go well, the first one. */
const culprit = <T extends Stage | Step>(names: readonly string[] | undefined, others: ReadonlyMap<string, T>) => {
  for (const name of names ?? []) {
    const other = others.get(name)
    if (other && (isFailed(other.status) || other.status === 'skipped' || other.status === 'declined')) return other
  }
  return undefined
}

const counts = ({ status, errignore }: Stage | Step): boolean =>
  isFailed(status) && !(status === 'failure' && errignore)

const skippedStage = (stage: Stage, all: ReadonlyMap<string, Stage>, failed: Stage | undefined): Ended | undefined => {
  const needed = culprit(stage.depends_on, all)
  if (needed) return needs(needed.name, needed.status)
  if (failed && !stage.on_failure) return failedBefore(failed.name)
  return !failed && !stage.on_success ? onlyAfterFailure() : undefined
}

const skippedStep = (step: Step, stage: Stage, all: ReadonlyMap<string, Step>): Ended | undefined => {
  const steps = stage.steps ?? []
  const needed = culprit(step.depends_on, all)
  const failed = steps.find((other) => counts(other) && (other.stopped ?? 0) <= (step.started ?? 0))
  const left = stage.left_out?.find(({ name }) => name === step.name)
  if (left) return conditional(left.text)
  if (needed && counts(needed)) return needs(needed.name, needed.status)
  if (failed) return failedBefore(failed.name)
  const earlyStep = steps.find(({ exit_code: code, status }) => code === earlyExit && status === 'success')
  if (earlyStep) return endedEarly(earlyStep.name)
  if (stage.status === 'error') return stageFailed(stage.error ?? '')
  return isDone(stage.status) && !isFailed(stage.status) && !steps.some(counts) ? onlyAfterFailure() : undefined
}

/** A step that waits in a stage that runs. */
const waitingStep = (step: Step, all: ReadonlyMap<string, Step>): Waiting => {
  const open = (step.depends_on ?? []).filter((name) => {
    const other = all.get(name)
    return other && !isDone(other.status)
  })
  return open.length > 0 ? dependency(open) : stepsBefore()
}

const withSteps = (stage: Stage, end: Ended | undefined, over: boolean): Stage => {
  if (!stage.steps) return stage
  const all = new Map(stage.steps.map((step) => [step.name, step]))
  const steps = stage.steps.map((step): Step => {
    const waits = !over && step.status === 'pending' && stage.status === 'running'
    if (waits) return { ...step, waiting: waitingStep(step, all) }
    const because = endOfStep(step, stage, { all, end })
    return because ? { ...step, ended: because } : step
  })
  return { ...stage, steps }
}

function endOfStep(
  step: Step,
  stage: Stage,
  { all, end }: { all: ReadonlyMap<string, Step>; end: Ended | undefined },
): Ended | undefined {
  if (step.error === restartText) return restarted()
  if (step.status === 'killed') return end
  if (step.status !== 'skipped') return undefined
  const withStage = end && (step.stopped ?? 0) >= stage.stopped
  return withStage ? end : (skippedStep(step, stage, all) ?? end)
}

/** Every stage with why it and its steps ended as they did, where that is not their own doing. */
export function withEnds(build: Build, stages: readonly Stage[]): Stage[] {
  const all = new Map(stages.map((stage) => [stage.name, stage]))
  const first = stages.find(counts)
  // What failed before does not end what runs here in spite of it.
  const here = stages.find((stage) => counts(stage) && !stage.taken_over) ?? first
  const end = endOfBuild(build)
  const { finished } = build
  return stages.map((stage) => {
    const ended = endOfStage(stage, { all, failed: stage.taken_over ? first : here, end, finished })
    const explained = withSteps(stage, ended, isDone(build.status))
    return ended ? { ...explained, ended } : explained
  })
}

interface Around {
  all: ReadonlyMap<string, Stage>
  failed: Stage | undefined
  end: Ended | undefined
  finished: number
}

function endOfStage(stage: Stage, { all, failed, end, finished }: Around): Ended | undefined {
  if (stage.status === 'declined') return declineOf(stage)
  // What happens to this build does not change what was over before.
  if (stage.taken_over) return stage.status === 'skipped' ? skippedStage(stage, all, failed) : undefined
  if (stage.error === restartText) return restarted()
  if (stage.status === 'killed') return stage.exit_code === endedByRunner ? timedOut() : end
  if (stage.status !== 'skipped') return undefined
  // Another stage reached its limit; a person ends the build as a whole.
  const withBuild = end && end.reason !== 'timeout' && stage.stopped >= finished
  return withBuild ? end : (skippedStage(stage, all, failed) ?? end)
}
