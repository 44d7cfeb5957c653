/** What follows for the rest of a build once one of its stages changed (docs/api §5.4 "downstream", "build final"). */
import type { Stage } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { buildResult, releaseDownstream } from '../pipeline/rollup.ts'
import { updateBuild } from '../store/builds.ts'
import type { Db } from '../store/open.ts'
import { updateStage } from '../store/stages.ts'
import { loadBuild } from './context.ts'
import { restartText } from '../interfaces/runner.ts'

/**
 * Waiting stages that need a declined one, directly or through others: nobody will ever run what they wait for. (Drone
 * takes a declined stage for a finished one and runs them.)
 */
const withoutHope = (stages: readonly Stage[]): Set<number> => {
  const lost = new Set(stages.filter((stage) => stage.status === 'declined').map((stage) => stage.name))
  const found = new Set<number>()
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const stage of stages) {
      if (stage.status !== 'waiting_on_dependencies' || !stage.depends_on?.some((name) => lost.has(name))) continue
      found.add(stage.id)
      lost.add(stage.name)
    }
  }
  return found
}

/** Starts or skips waiting stages, and ends the build if none is left. Answers true if nothing of it runs any more. */
export const settleBuild = async (db: Db, buildId: number, now: number): Promise<boolean> => {
  const { build, stages } = await loadBuild(db, buildId)
  const change = async (id: number, status: 'pending' | 'skipped') => {
    const index = stages.findIndex((stage) => stage.id === id)
    const stage = stages[index]
    if (!stage) return
    const times = status === 'skipped' ? { started: now, stopped: now } : {}
    stages[index] = await updateStage(db, { ...stage, ...times, status, updated: now })
  }
  for (const id of withoutHope(stages)) await change(id, 'skipped')
  for (const { id, status } of releaseDownstream(stages)) await change(id, status)

  if (isDone(build.status)) return !stages.some((stage) => stage.status === 'pending' || stage.status === 'running')
  const status = buildResult(stages)
  if (status === null) return false
  // Here the reason is nobody's pipeline: who looks at the build alone must find it there, too.
  const restarted = stages.some((stage) => stage.error === restartText) && { error: restartText }
  await updateBuild(db, { ...build, ...restarted, status, started: build.started || now, finished: now })
  return true
}
