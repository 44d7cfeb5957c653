/**
 * The rules for runners on other machines, in front of the one manager that the built-in runner
 * uses, too.
 */
import type { Stage, Step } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { createFirstCard } from '../../store/cards.ts'
import { findBuild } from '../../store/builds.ts'
import { findRepoBySlug, findRepoInternals } from '../../store/repos.ts'
import { isRemote, isUploaded, listRemoteStages, listRemoteSteps, markUploaded } from '../../store/remote-stages.ts'
import { findStage } from '../../store/stages.ts'
import { findStep, listSteps } from '../../store/steps.ts'
import { authorLogin } from '../../pipeline/author-login.ts'
import { required, type CiContext } from '../context.ts'
import { isOver } from '../manager.ts'
import { Refusal, OptimisticLockError } from '../../lib/refusal.ts'
import type { RunnerManager } from '../../interfaces/runner.ts'
import { isPassing } from '../../store/writes.ts'
import { checkCard, checkDependencies, checkMachine, checkStage, checkStep } from './check-reports.ts'
import type { Credentials } from './credentials.ts'
import type { Heartbeats } from './heartbeats.ts'
import { mayFetch } from './clone-rights.ts'
import { createReportDedupe } from './report-dedupe.ts'
import type { RemoteCall, RemoteManager } from '../../interfaces/remote.ts'

export interface RemoteParts {
  ci: CiContext
  manager: RunnerManager
  presence: Heartbeats
  credentials: Credentials
}

export interface RecoverableRemoteManager extends RemoteManager {
  /**
   * At server start: closes the logs of all steps that are not running, and accepts repeated
   * reports whose response was lost.
   */
  recover(): Promise<void>
}

/** SQLite's message for a second log of a step, which clients know (docs/api §7.3). */
const secondLog = () => new Refusal(500, 'UNIQUE constraint failed: logs.log_id')

export function createRemoteManager(parts: RemoteParts): RecoverableRemoteManager {
  const { ci, manager, presence, credentials } = parts
  const { db } = ci
  const repeats = createReportDedupe()

  /** The stage, if a remote runner has it; other stages are not its business. */
  async function requireStage(stageId: number, call: RemoteCall): Promise<Stage> {
    const stage = required(await findStage(db, stageId))
    if (!(await isRemote(db, stageId))) throw new OptimisticLockError()
    presence.record(stage, call.address)
    return stage
  }
  async function heldStep(stepId: number, call: RemoteCall): Promise<{ step: Step; stage: Stage }> {
    const step = required(await findStep(db, stepId))
    return { step, stage: await requireStage(step.step_id, call) }
  }
  const withSteps = async (stage: Stage): Promise<Stage> => {
    const steps = await listSteps(db, stage.id)
    return steps.length > 0 ? { ...stage, steps } : stage
  }

  return {
    request: (filter, signal, from) => manager.request(filter, signal, from),
    async accept(stageId, machine, call) {
      checkMachine(machine)
      const current = required(await findStage(db, stageId))
      const again = { ...current, version: current.version - 1 }
      if (current.machine === machine && repeats.matches('stage', current, again)) return current
      const stage = await manager.accept(stageId, machine, { remote: true })
      presence.record(stage, call.address)
      if (call.signal.aborted) repeats.add('stage', stage)
      return stage
    },
    async details(stageId, call) {
      // Only the runner that still holds the stage may read its secrets.
      if (isDone((await requireStage(stageId, call)).status)) throw new OptimisticLockError()
      const context = await manager.details(stageId, call.reach)
      // Runners copy it to DRONE_COMMIT_AUTHOR, where scripts expect a login.
      return { ...context, build: { ...context.build, author_login: authorLogin(context.build) } }
    },
    async updateStage(report, call) {
      checkStage(report)
      const current = await requireStage(report.id, call)
      checkDependencies(report.depends_on, current.depends_on)
      if (report.machine && report.machine !== current.machine) throw new OptimisticLockError()
      if (repeats.matches('stage', current, report)) return withSteps(current)
      const stage = await manager.updateStage(report)
      if (call.signal.aborted) repeats.add('stage', stage)
      return stage
    },
    async updateStep(report, call) {
      checkStep(report)
      const { step: current } = await heldStep(report.id, call)
      if (repeats.matches('step', current, report)) return current
      const step = await manager.updateStep(report)
      if (call.signal.aborted) repeats.add('step', step)
      return step
    },
    async watch(buildId, call, until) {
      const end = presence.watching(buildId, call.address)
      try {
        return await manager.watch(buildId, AbortSignal.any([call.signal, until]))
      } finally {
        end()
      }
    },
    async appendLog(stepId, lines, call) {
      await heldStep(stepId, call)
      await manager.appendLog(stepId, lines)
    },
    async uploadLog(stepId, content, call) {
      const { stage } = await heldStep(stepId, call)
      if (await isUploaded(db, stepId)) throw secondLog()
      const chunks = each(content, () => presence.record(stage, call.address))
      const received = await ci.logs.receive(stepId, chunks).catch((error: unknown) => {
        // A stream cannot be retried here; the runner sends it again after a pause (docs/api §7.2).
        throw isPassing(error) ? new Refusal(503, 'The log cannot be stored for now') : error
      })
      // Of two concurrent uploads the first complete one counts.
      await ci.locks(stage.build_id, async () => {
        try {
          // Its build may have been removed during the upload.
          required(await findStep(db, stepId))
          if (await isUploaded(db, stepId)) throw secondLog()
          await received.commit()
          await ci.writes.retryWithBackoff(`the log of step ${stepId}`, () => markUploaded(db, stepId))
        } finally {
          await received.drop()
        }
      })
    },
    async storeCard(stepId, card, call) {
      await heldStep(stepId, call)
      checkCard(card)
      // Like the reference server: a second card is dropped silently, and the step's `schema` comes
      // with its report.
      await ci.writes.retryWithBackoff(`the card of step ${stepId}`, () => createFirstCard(db, stepId, card.data))
    },
    async cloneFrom(login, password, slug) {
      const buildId = credentials.buildOf(login)
      const build = buildId === null ? null : await findBuild(db, buildId)
      const isRight = credentials.isPassword(build ?? { id: 0, repo_id: 0 }, password)
      if (!build || !isRight || (await isOver(ci, build.id))) throw new Refusal(401, 'Unauthorized')
      const repo = await findRepoBySlug(db, slug)
      if (!repo || !(await mayFetch(db, build, repo))) return null
      return (await findRepoInternals(db, repo.id))?.path ?? null
    },
    async recover() {
      const steps = await listRemoteSteps(db)
      const live = steps
        .filter(({ step, uploaded }) => step.status === 'running' && !uploaded)
        .map(({ step }) => step.id)
      await ci.logs.recover(new Set(live))
      for (const stepId of live) await ci.logs.open(stepId)
      for (const { step } of steps) repeats.add('step', step)
      for (const stage of await listRemoteStages(db)) repeats.add('stage', stage)
    },
  }
}

/** Passes items on and calls `happened` for each. */
async function* each<T>(items: AsyncIterable<T>, happened: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    happened()
    yield item
  }
}
