/** After a restart of the server: what was at work then has nobody who works on it any more. */
import type { Stage } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { listUnfinishedBuilds, updateBuild } from '../store/builds.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { listRemoteStages } from '../store/remote-stages.ts'
import { updateStage } from '../store/stages.ts'
import { updateStep } from '../store/steps.ts'
import { clearSyncing } from '../store/users.ts'
import { loadBuild } from './context.ts'
import { settleBuild } from './settle.ts'
import { restartText } from '../interfaces/runner.ts'

/** A runner had it. */
const isTaken = (stage: Stage): boolean =>
  stage.status === 'running' || (stage.status === 'pending' && Boolean(stage.machine))

const endStage = async (tx: Db, stage: Stage, wasTaken: boolean, now: number): Promise<void> => {
  for (const step of stage.steps ?? []) {
    if (isDone(step.status)) continue
    if (step.started)
      await updateStep(tx, { ...step, status: 'error', error: restartText, exit_code: 255, stopped: now })
    else await updateStep(tx, { ...step, status: 'skipped', started: now, stopped: now })
  }
  const end = wasTaken
    ? { status: 'error' as const, error: restartText, exit_code: 255 }
    : { status: 'skipped' as const }
  await updateStage(tx, { ...stage, ...end, started: stage.started || now, stopped: now, updated: now })
}

/**
 * Ends what the built-in runner was at. What was only queued, or waits for approval, goes on as if nothing had happened, and
 * so does what a runner on another machine has: it will report.
 */
export const recoverBuilds = async (db: Db, now: number): Promise<void> => {
  await clearSyncing(db)
  const elsewhere = new Set((await listRemoteStages(db)).map((stage) => stage.id))
  const wasOurs = (stage: Stage) => isTaken(stage) && !elsewhere.has(stage.id)
  for (const { id } of await listUnfinishedBuilds(db)) {
    await inTransaction(db, async (tx) => {
      const { build, stages } = await loadBuild(tx, id)
      const ours = stages.filter(wasOurs)
      if (ours.length === 0) return
      if (stages.some((stage) => elsewhere.has(stage.id))) {
        // Somebody is still at work on it: these failed, and what follows from that follows as always.
        for (const stage of ours) await endStage(tx, stage, true, now)
        await settleBuild(tx, id, now)
        return
      }
      for (const stage of stages) if (!isDone(stage.status)) await endStage(tx, stage, wasOurs(stage), now)
      await updateBuild(tx, {
        ...build,
        status: 'error',
        error: restartText,
        started: build.started || now,
        finished: now,
      })
    })
  }
}
