/** Builds that are waiting for approval (docs/api §5.5). */
import type { Build, Repo, Stage, User } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { findBuild, findBuildByNumber, updateBuild } from '../store/builds.ts'
import { declineStages } from '../store/stage-graph.ts'
import { findStageByNumber, listStages, updateStage } from '../store/stages.ts'
import { changeBuild, required, type CiContext } from './context.ts'
import { checkDeployer } from './deployers.ts'
import { advanceBuild } from './advance-build.ts'
import { Refusal } from '../lib/refusal.ts'
import type { RightsCheck } from '../interfaces/hook.ts'

const findNumbered = async (ci: CiContext, repo: Repo, number: number): Promise<Build> => {
  const build = await findBuildByNumber(ci.db, repo.id, number)
  if (!build) throw new Refusal(404, 'Build not found')
  return build
}

const noStage = () => new Refusal(404, 'Stage not found')

const pick = (stages: readonly Stage[], number: number): Stage => {
  const stage = stages.find((other) => other.number === number)
  if (!stage) throw noStage()
  return stage
}

/** Only other stages can still delay it. */
export const openStatus = (stage: Pick<Stage, 'depends_on'>): 'waiting_on_dependencies' | 'pending' =>
  stage.depends_on?.length ? 'waiting_on_dependencies' : 'pending'

export const approveStage = async (
  ci: CiContext,
  repo: Repo,
  number: number,
  stageNumber: number,
  by: User,
  stillMay?: RightsCheck,
): Promise<void> => {
  const build = await findNumbered(ci, repo, number)
  const { id: buildId } = build
  await changeBuild(ci, buildId, async (tx) => {
    await stillMay?.(tx)
    await checkDeployer(tx, repo, build, { by, verb: 'approve deployments to' })
    const now = ci.now()
    const stage = await findStageByNumber(tx, buildId, stageNumber)
    if (!stage) throw noStage()
    if (stage.status !== 'blocked') {
      throw new Refusal(400, `Cannot approve a Pipeline with Status "${stage.status}"`)
    }
    await updateStage(tx, { ...stage, status: openStatus(stage), approved: now, approved_by: by.login, updated: now })
    // Its dependencies may have ended already: Drone leaves such a stage waiting until another one
    // ends.
    await advanceBuild(tx, buildId, now, { id: stage.id })
  })
}

/**
 * Without a stage, declines all stages. Unlike Drone, declines none if one of them cannot be
 * declined, so that a refusal does not leave a partly declined build.
 */
export const decline = async (
  ci: CiContext,
  repo: Repo,
  number: number,
  stageNumber: number | undefined,
  by: User,
  stillMay?: RightsCheck,
): Promise<void> => {
  const { id: buildId } = await findNumbered(ci, repo, number)
  await changeBuild(ci, buildId, async (tx) => {
    await stillMay?.(tx)
    const stages = await listStages(tx, buildId)
    if (stages.length === 0) throw new Refusal(404, 'Stages not found')
    const chosen = stageNumber === undefined ? stages : [pick(stages, stageNumber)]
    const wrong = chosen.find((stage) => stage.status !== 'blocked')
    if (wrong) throw new Refusal(400, `Cannot decline build with status "${wrong.status}"`)
    const decision = { declined: ci.now(), declined_by: by.login }
    const ids = chosen.map((stage) => stage.id)
    await declineStages(tx, ids, { by: by.login, now: ci.now() })
    const build = required(await findBuild(tx, buildId))
    if (!isDone(build.status)) await updateBuild(tx, { ...build, ...decision, status: 'declined', updated: ci.now() })
    await advanceBuild(tx, buildId, ci.now())
  })
}
