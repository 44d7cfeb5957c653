/** The result of a stage from its steps, of a build from its stages (docs/api §5.4, §5.7). */
import { isDone, isFailed } from '@flightdeck/api'
import type { Stage, Status, Step } from '@flightdeck/api'

export interface StageResult {
  status: 'success' | 'failure' | 'error' | 'killed'
  exit_code: number
  error?: string
}

type StepFacts = Pick<Step, 'number' | 'status' | 'error' | 'errignore' | 'exit_code'>

/** The first killed, error or failure that is not ignored decides, in the order of the numbers. */
export const stageResult = (steps: readonly StepFacts[]): StageResult => {
  for (const step of steps.toSorted((a, b) => a.number - b.number)) {
    if (step.status === 'killed') return { status: 'killed', exit_code: 137 }
    if (step.status === 'error') {
      return { status: 'error', exit_code: 255, ...(step.error ? { error: step.error } : {}) }
    }
    // The stage's exit code is not the step's.
    if (step.status === 'failure' && !step.errignore) return { status: 'failure', exit_code: 0 }
  }
  return { status: 'success', exit_code: 0 }
}

type StageFacts = Pick<Stage, 'id' | 'status'>

/** `null` while any stage may still change. A declined stage keeps a build from ever being computed. */
export const buildResult = (stages: readonly StageFacts[]): Status | null => {
  if (stages.some((stage) => !isDone(stage.status) || stage.status === 'declined')) return null
  const decides = stages.toSorted((a, b) => a.id - b.id).find((stage) => isFailed(stage.status))
  return decides?.status ?? 'success'
}

export interface Release {
  id: number
  status: 'pending' | 'skipped'
}
type DependentStage = Pick<Stage, 'id' | 'name' | 'status' | 'depends_on' | 'on_success' | 'on_failure'>

/**
 * Which waiting stages become pending or skipped now. A failed stage anywhere in the build counts, not only among the
 * dependencies (docs/api §5.4 "downstream"). A skipped stage may release others, so this goes on until nothing changes.
 */
export const releaseDownstream = (stages: readonly DependentStage[]): Release[] => {
  const failed = stages.some((stage) => isFailed(stage.status))
  const statusOf = new Map(stages.map((stage) => [stage.name, stage.status]))
  const waiting = new Set(stages.filter((stage) => stage.status === 'waiting_on_dependencies'))
  const releases: Release[] = []
  const ready = (stage: DependentStage): boolean =>
    (stage.depends_on ?? []).every((name) => isDone(statusOf.get(name) ?? 'success'))
  for (let before = -1; before !== releases.length;) {
    before = releases.length
    for (const stage of waiting) {
      if (!ready(stage)) continue
      const status = (failed ? stage.on_failure : stage.on_success) ? 'pending' : 'skipped'
      releases.push({ id: stage.id, status })
      statusOf.set(stage.name, status)
      waiting.delete(stage)
    }
  }
  return releases
}
