import type { Build, Stage, Step } from '@flightdeck/api'
import { findBuildByNumber } from '../store/builds.ts'
import { findStageByNumber } from '../store/stages.ts'
import { findLastPassed, findStepByNumber } from '../store/steps.ts'
import type { StepKey } from '../interfaces/ci.ts'
import { required, type CiContext } from './context.ts'

export interface SuccessfulRun {
  build: Build
  stage: number
  step: number
}

/** A step of a build. Refuses where there is none. */
export async function findStepOf(
  { db }: Pick<CiContext, 'db'>,
  { repo, number, ...at }: StepKey,
): Promise<{ build: Build; stage: Stage; step: Step }> {
  const build = required(await findBuildByNumber(db, repo.id, number))
  const stage = required(await findStageByNumber(db, build.id, at.stage))
  return { build, stage, step: required(await findStepByNumber(db, stage.id, at.step)) }
}

/** Where a step last passed before its build: on the same branch, or else on the default branch. */
export async function findLastSuccessfulRun(ci: Pick<CiContext, 'db'>, key: StepKey): Promise<SuccessfulRun | null> {
  const { build, stage, step } = await findStepOf(ci, key)
  const { repo } = key
  for (const ref of new Set([build.ref, `refs/heads/${repo.default_branch}`])) {
    const filter = { repoId: repo.id, ref, before: build.number, stage: stage.name, step: step.name }
    const passed = await findLastPassed(ci.db, filter)
    const passedBuild = passed && (await findBuildByNumber(ci.db, repo.id, passed.build))
    if (passedBuild) return { build: passedBuild, stage: passed.stage, step: passed.step }
  }
  return null
}
