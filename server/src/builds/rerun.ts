/**
 * Rerunning a part of a build: which stages run, and which results are reused. Pure. A stage is the
 * smallest part: its steps share a workspace that no longer exists.
 */
import { isDone, type Again, type Build, type Stage } from '@flightdeck/api'
import { planStageRerun, type PlannedStage } from '@flightdeck/api/rerun-stage'
import { Refusal } from '../lib/refusal.ts'

const stages = (names: readonly string[] | undefined) => names ?? []

/** These run only because a stage failed, so they are evaluated again. */
const isForFailures = ({ on_success: onSuccess }: PlannedStage): boolean => !onSuccess

/** What did not pass and what needs it. */
function failedOnes(planned: readonly PlannedStage[], before: ReadonlyMap<string, Stage>): Set<string> {
  const runs = new Set<string>()
  for (const stage of planned) {
    const previous = before.get(stage.name)
    const passed = previous?.status === 'success' && !isForFailures(stage)
    // Dependencies come before the stages that need them (docs/api §6.5).
    if (!passed || stages(stage.depends_on).some((name) => runs.has(name))) runs.add(stage.name)
  }
  return runs
}

/** Why a part of this build cannot run again at all. */
export function checkAgain({ number, status }: Pick<Build, 'number' | 'status'>, again: Again): void {
  if (!isDone(status)) throw new Refusal(400, `build #${number} must finish before part of it can be re-run`)
  if ('only' in again && status === 'success') throw new Refusal(400, `nothing failed in build #${number}`)
}

/**
 * The names of the stages that run; the others are reused. `before`: the stages of the original
 * build.
 */
export function stagesToRun(planned: readonly PlannedStage[], before: readonly Stage[], again: Again): Set<string> {
  const earlier = new Map(before.map((stage) => [stage.name, stage]))
  const reused = planned.filter(({ name }) => earlier.has(name))
  if (reused.length === 0) throw new Refusal(400, 'nothing can be reused; restart the whole build')
  if ('only' in again) return failedOnes(planned, earlier)
  const chosen = planned.find(({ name }) => name === again.stage)
  if (!chosen) throw new Refusal(404, 'Stage not found')
  const part = planStageRerun(planned, before, chosen)
  if (!part) throw new Refusal(400, `${chosen.name} runs only after a failure`)
  return new Set([...part.needed, chosen.name, ...part.after])
}

type Result = Pick<
  Stage,
  | 'status'
  | 'error'
  | 'errignore'
  | 'exit_code'
  | 'machine'
  | 'os'
  | 'arch'
  | 'variant'
  | 'kernel'
  | 'started'
  | 'stopped'
  | 'created'
  | 'approved'
  | 'approved_by'
  | 'taken_over'
>

/** What a stage brings along from the build `number`, or from the one where that has it from. */
export const resultOf = (stage: Stage, number: number): Result => ({
  status: stage.status,
  errignore: stage.errignore,
  exit_code: stage.exit_code,
  os: stage.os,
  arch: stage.arch,
  started: stage.started,
  stopped: stage.stopped,
  created: stage.created,
  taken_over: stage.taken_over ?? number,
  ...(stage.error && { error: stage.error }),
  ...(stage.machine && { machine: stage.machine }),
  ...(stage.variant && { variant: stage.variant }),
  ...(stage.kernel && { kernel: stage.kernel }),
  ...(stage.approved && { approved: stage.approved }),
  ...(stage.approved_by && { approved_by: stage.approved_by }),
})
