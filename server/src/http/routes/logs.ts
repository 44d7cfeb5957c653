/** Saved logs (docs/api §2.4): the bytes of the file as they are, never held in memory. */
import { isDone, type KnownLines } from '@flightdeck/api'
import { findLastPassed } from '../../store/steps.ts'
import { findOriginStep, listStepsOfLog } from '../../store/reused-steps.ts'
import { json, noContent } from '../responses.ts'
import { accepts } from '../accept.ts'
import { repoOf, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findRetention } from '../../store/retention.ts'
import { noRows } from '../errors.ts'
import { plainBody } from '../../lib/unpack.ts'
import { mayRead, whilePermitted } from '../repo-readers.ts'
import { runOf, stepOf } from '../step-params.ts'

export function logsRoutes({ store: { db, rights }, ci, now }: Required<HttpDependencies>) {
  const readOrigin = async (stepId: number) => {
    const origin = await findOriginStep(db, stepId)
    return origin === null ? null : ci.logs.read(origin)
  }
  const missingLog = async (repoId: number, number: number): Promise<Refusal> =>
    number < (await findRetention(db, repoId)).logsFrom
      ? new Refusal(404, 'This log was removed: the repository keeps logs for a limited time')
      : noRows()
  /**
   * Of the step that ran, so that copies share it; its build may have been removed, and the copy's
   * own log stays.
   */
  const fingerprintOf = async (stepId: number) => {
    const origin = await findOriginStep(db, stepId)
    return (origin === null ? null : await ci.logs.fingerprint(origin)) ?? ci.logs.fingerprint(stepId)
  }
  return {
    'GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step': async (c) => {
      const { build, step } = await runOf(db, c)
      // After a cancel the runner still sends its last lines: requests in that time wait for the
      // whole log instead of a 404.
      if (isDone(step.status)) await ci.logs.closed(step.id, () => c.req.raw.signal)
      const saved = (await ci.logs.read(step.id)) ?? (await readOrigin(step.id))
      if (!saved) throw await missingLog(repoOf(c).id, build.number)
      const headers = new Headers({ 'Content-Type': 'application/json', Vary: 'Accept-Encoding' })
      const packed = saved.encoding === 'gzip'
      const unpacks = packed && !accepts(c, 'gzip')
      if (packed && !unpacks) headers.set('Content-Encoding', 'gzip')
      if (!unpacks && saved.size !== undefined) headers.set('Content-Length', String(saved.size))
      // Last in the pipeline, so that data buffered for a slow client is checked as well.
      const body = whilePermitted(unpacks ? plainBody(saved) : saved.body, rights, mayRead(db, rights, now, c))
      return new Response(body, { headers })
    },
    // Flightdeck only: the lines that the step had when it last passed, on this branch or else on
    // the default branch.
    'GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step/known': async (c) => {
      const { build, stage, step } = await runOf(db, c)
      const repo = repoOf(c)
      for (const ref of new Set([build.ref, `refs/heads/${repo.default_branch}`])) {
        const run = { repoId: repo.id, ref, before: build.number, stage: stage.name, step: step.name }
        const passed = await findLastPassed(db, run)
        const lines = passed && (await fingerprintOf(passed.id))
        if (!passed || !lines) continue
        const body: KnownLines = {
          build: passed.build,
          stage: passed.stage,
          step: passed.step,
          lines: Buffer.from(lines).toString('base64'),
        }
        return json(body)
      }
      // No error: a step that never passed is nothing unusual.
      return json(null)
    },
    'DELETE /api/repos/:owner/:name/builds/:number/logs/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      // A runner still writes it: there is nothing to delete yet.
      if (step.status === 'running') throw noRows()
      // A log is deleted because of what it says.
      await ci.removeLogs(await listStepsOfLog(db, step.id))
      return noContent()
    },
  } satisfies Record<string, Handler>
}
