/** After a restart of the server: what was at work then has nobody who works on it any more. */
import type { Stage } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { listUnfinishedBuilds, updateBuild } from '../store/builds.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { updateStage } from '../store/stages.ts'
import { updateStep } from '../store/steps.ts'
import { clearSyncing } from '../store/users.ts'
import { loadBuild } from './context.ts'
import { restartText } from './types.ts'

/** A runner had it. */
const wasTaken = (stage: Stage): boolean =>
  stage.status === 'running' || (stage.status === 'pending' && Boolean(stage.machine))

const endStage = async (tx: Db, stage: Stage, now: number): Promise<void> => {
  for (const step of stage.steps ?? []) {
    if (isDone(step.status)) continue
    if (step.started)
      await updateStep(tx, { ...step, status: 'error', error: restartText, exit_code: 255, stopped: now })
    else await updateStep(tx, { ...step, status: 'skipped', started: now, stopped: now })
  }
  const end = wasTaken(stage)
    ? { status: 'error' as const, error: restartText, exit_code: 255 }
    : { status: 'skipped' as const }
  await updateStage(tx, { ...stage, ...end, started: stage.started || now, stopped: now, updated: now })
}

/** Ends builds that were at work. What was only queued, or waits for approval, goes on as if nothing had happened. */
export const recoverBuilds = async (db: Db, now: number): Promise<void> => {
  await clearSyncing(db)
  for (const { id } of await listUnfinishedBuilds(db)) {
    await inTransaction(db, async (tx) => {
      const { build, stages } = await loadBuild(tx, id)
      if (!stages.some(wasTaken)) return
      for (const stage of stages) if (!isDone(stage.status)) await endStage(tx, stage, now)
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
