/** The step that an address names by the numbers of build, stage and step (docs/api §9.4). */
import type { Build, Stage, Step } from '@flightdeck/api'
import { findBuildByNumber } from '../store/builds.ts'
import type { Db } from '../store/open.ts'
import { findStageByNumber } from '../store/stages.ts'
import { findStepByNumber } from '../store/steps.ts'
import { param, repoOf, type Call } from './context.ts'
import { found } from './errors.ts'
import { buildNumber, stageOrStepNumber } from './number-params.ts'

export const stepOf = async (db: Db, c: Call): Promise<Step> => (await runOf(db, c)).step

export async function runOf(db: Db, c: Call): Promise<{ build: Build; stage: Stage; step: Step }> {
  const number = buildNumber(param(c, 'number'))
  const stageNumber = stageOrStepNumber(param(c, 'stage'))
  const stepNumber = stageOrStepNumber(param(c, 'step'))
  const build = found(await findBuildByNumber(db, repoOf(c).id, number))
  const stage = found(await findStageByNumber(db, build.id, stageNumber))
  return { build, stage, step: found(await findStepByNumber(db, stage.id, stepNumber)) }
}
