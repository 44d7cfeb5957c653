/** After a restart, cleans up work that was running when the server stopped. */
import { findBuild, listUnfinishedBuilds, updateBuild } from '../store/builds.ts'
import { endOpenStages, endOpenSteps, failStages, listTaken } from '../store/early-ends.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { clearSyncing } from '../store/users.ts'
import { required } from './context.ts'
import { advanceBuild } from './advance-build.ts'
import { restartText } from '../interfaces/runner.ts'

const lost = { status: 'error', error: restartText, exitCode: 255 } as const

/**
 * Ends what the built-in runner was running. Queued and blocked builds continue unchanged, as do
 * stages on external runners, which will report.
 */
export const recoverBuilds = async (db: Db, now: number): Promise<void> => {
  await clearSyncing(db)
  for (const { id: buildId } of await listUnfinishedBuilds(db)) {
    const taken = await listTaken(db, buildId)
    const localIds = taken.filter(({ elsewhere }) => !elsewhere).map(({ id }) => id)
    if (localIds.length === 0) continue
    // An external runner is still working on the build: the built-in runner's stages fail, the
    // others continue.
    const isShared = localIds.length < taken.length
    await endOpenSteps(db, { buildId, now, ...(isShared && { stageIds: localIds }) }, lost)
    await inTransaction(db, async (tx) => {
      await failStages(tx, localIds, { ...lost, now })
      if (isShared) {
        await advanceBuild(tx, buildId, now)
        return
      }
      await endOpenStages(tx, buildId, now)
      const build = required(await findBuild(tx, buildId))
      const started = build.started || now
      await updateBuild(tx, { ...build, status: 'error', error: restartText, started, finished: now })
    })
  }
}
