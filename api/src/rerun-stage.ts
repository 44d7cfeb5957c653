/**
 * Decides what runs when one stage of a build is rerun. Pure; used by the server to run it, and by
 * the page to show it beforehand.
 */
import { isFailed } from './status.ts'
import type { Stage } from './types.ts'

/** The stages of a full run of the new build. */
export type PlannedStage = Pick<Stage, 'name' | 'depends_on' | 'on_success' | 'on_failure'>

export interface StageRerun {
  /** Its direct and indirect dependencies that did not pass. They run before it. */
  needed: string[]
  /**
   * Dependents that did not run because of it. They run after it. Those that passed, such as a
   * deployment, are not repeated.
   */
  after: string[]
}

/** Whether its dependents can run: it passed, or its conditions skipped it. */
const isSound = (stage: Stage | undefined): boolean =>
  stage !== undefined && (stage.status === 'success' || (stage.status === 'skipped' && !stage.on_success))

/** The direct and indirect dependencies of a stage. */
function needsOf(chosen: PlannedStage, planned: readonly PlannedStage[]): Set<string> {
  const needs = new Set(chosen.depends_on)
  // Dependencies are listed before their dependents (docs/api §6.5).
  for (const { name, depends_on: more } of planned.toReversed())
    if (needs.has(name)) for (const need of more ?? []) needs.add(need)
  return needs
}

/**
 * `planned` are the stages of the new build, each after its dependencies; `before` are the stages
 * of the build that is rerun. Null if the stage would be excluded: it runs only after a failure,
 * and nothing failed.
 */
export function planStageRerun(
  planned: readonly PlannedStage[],
  before: readonly Stage[],
  chosen: PlannedStage,
): StageRerun | null {
  const known = new Map(before.map((stage) => [stage.name, stage]))
  const failed = before.filter(({ name, status }) => name !== chosen.name && isFailed(status))
  const needs = needsOf(chosen, planned)
  if (!chosen.on_success && needs.size > 0 && failed.length === 0) return null
  // A stage that also runs after failures runs after the failed stages.
  const takesAll = chosen.on_failure && failed.length > 0

  const runs = new Set<string>()
  for (const { name, depends_on: its = [] } of takesAll ? [] : planned) {
    if (needs.has(name) && (!isSound(known.get(name)) || its.some((need) => runs.has(need)))) runs.add(name)
  }
  const needed = [...runs]
  runs.add(chosen.name)

  const followers = (hasFailures: boolean): Set<string> => {
    const after = new Set<string>()
    const isReady = (need: string): boolean => runs.has(need) || after.has(need) || isSound(known.get(need))
    for (const { name, depends_on: its = [], on_failure: onFailure } of planned) {
      const follows = its.some((need) => need === chosen.name || after.has(need)) && its.every(isReady)
      const passed = known.get(name)?.status === 'success'
      if (follows && !passed && (!hasFailures || onFailure)) after.add(name)
    }
    return after
  }
  const after = followers(false)
  // The requested stage always runs; stages after it run according to the result of the whole
  // build.
  const staysFailed = failed.some(({ name }) => !runs.has(name) && !after.has(name))
  return { needed, after: [...(staysFailed ? followers(true) : after)] }
}
