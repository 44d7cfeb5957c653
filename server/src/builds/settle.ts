/** What follows for the rest of a build once one of its stages changed (docs/api §5.4 "downstream", "build final"). */
import { isDone } from '@flightdeck/api'
import { findBuild, updateBuild } from '../store/builds.ts'
import type { Db } from '../store/open.ts'
import {
  failedHere,
  firstFailure,
  hasError,
  hasOpenStage,
  listWaiting,
  type WaitingStage,
  type Which,
} from '../store/settling.ts'
import { findStage, updateStage } from '../store/stages.ts'
import { required } from './context.ts'
import { restartText } from '../interfaces/runner.ts'

/** So many waiting stages are looked at with one query. */
const slice = 100

/**
 * Goes through the waiting stages that `first` means, and then through those that need one of the changed ones. `judge`
 * answers what becomes of a stage, or `null` if it goes on waiting.
 */
const follow = async (
  db: Db,
  { buildId, now }: { buildId: number; now: number },
  first: Which,
  judge: (stage: WaitingStage, first: boolean) => 'pending' | 'skipped' | null,
): Promise<void> => {
  const next: Which[] = [first]
  for (const which of next) {
    for (let after = 0, more = true; more;) {
      const stages = await listWaiting(db, buildId, which, { after, count: slice })
      for (const { id, status } of stages.map((stage) => ({ ...stage, status: judge(stage, which === first) }))) {
        const stage = status && (await findStage(db, id))
        if (!stage) continue
        const times = status === 'skipped' ? { started: now, stopped: now } : {}
        await updateStage(db, { ...stage, ...times, status, updated: now })
        if (status === 'skipped') next.push({ needs: stage.name })
      }
      more = stages.length === slice
      after = stages.at(-1)?.id ?? after
    }
  }
}

/**
 * Starts or skips waiting stages, and ends the build if none is left. Answers true if nothing of it runs any more. `which` of
 * those that wait may go on now.
 */
export const settleBuild = async (db: Db, buildId: number, now: number, which: Which = 'all'): Promise<boolean> => {
  const place = { buildId, now }
  // Drone takes a declined stage for a finished one, and runs what needs it. What needs one directly or through others is
  // skipped, whatever else it waits for.
  if (await hasOpenStage(db, buildId, ['declined'])) {
    await follow(db, place, which, (stage, first) => (stage.lost || !first ? 'skipped' : null))
  }
  // A failed stage anywhere in the build counts, not only among those that are needed.
  const failed = (await firstFailure(db, buildId)) !== null
  const build = required(await findBuild(db, buildId))
  // Whoever asked for one stage asked for it in spite of what failed elsewhere before, and what waits here was chosen by that
  // (`stageAgain`); a failure of this build itself counts as ever.
  const inSpite = failed && build.again && 'stage' in build.again && !(await failedHere(db, buildId))
  await follow(db, place, which, (stage) => {
    if (!stage.ready) return null
    const goesOn = failed ? stage.on_failure || (inSpite && stage.on_success) : stage.on_success
    return goesOn ? 'pending' : 'skipped'
  })

  if (isDone(build.status)) return !(await hasOpenStage(db, buildId, ['pending', 'running']))
  if (await hasOpenStage(db, buildId)) return false
  const status = (await firstFailure(db, buildId)) ?? 'success'
  // Here the reason is nobody's pipeline: who looks at the build alone must find it there, too.
  const restarted = (await hasError(db, buildId, restartText)) && { error: restartText }
  // A runner ends what has reached its time limit (docs/api §5.7 "timeout").
  const limit = status === 'killed' && { canceled: now }
  await updateBuild(db, { ...build, ...restarted, ...limit, status, started: build.started || now, finished: now })
  return true
}
