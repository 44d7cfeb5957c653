/** The one way of a build through the server (architecture.md, flow 5; docs/api §7.3). */
import type { Build, Repo, Stage } from '@flightdeck/api'
import { isDone } from '@flightdeck/api'
import { findBuild, findBuildStatus, findConfig } from '../store/builds.ts'
import { findRepo, findRepoInternals } from '../store/repos.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { listSealedSecrets, type SealedSecret } from '../store/secrets.ts'
import { hasOpenStage } from '../store/stage-graph.ts'
import { setRemote } from '../store/remote-stages.ts'
import { findBuildOfStage, findStage, listStages, updateStage } from '../store/stages.ts'
import { changeBuild, required, type CiContext } from './context.ts'
import type { LogClosers } from './delayed-log-close.ts'
import type { Origins } from './clone-origins.ts'
import { reportStage } from './stage-report.ts'
import { reportStep } from './step-report.ts'
import { Refusal, OptimisticLockError } from '../lib/refusal.ts'
import type { AskedFrom, RunnerFilter, RunnerManager, StageContext } from '../interfaces/runner.ts'

export interface ManagerOptions {
  /** Opens a sealed secret. */
  decrypt: (sealed: string) => string
  system: StageContext['system']
  origins: Origins
}

/** A declined build can still have running approved stages (docs/api §5.5). */
export const isOver = async (ci: CiContext, buildId: number): Promise<boolean> => {
  const status = await findBuildStatus(ci.db, buildId)
  if (!status) return true
  if (status !== 'declined') return isDone(status)
  return !(await hasOpenStage(ci.db, buildId, ['pending', 'running']))
}

/** The registry of polling runners explains why other stages wait. */
const request = async (ci: CiContext, filter: RunnerFilter, signal: AbortSignal, from?: AskedFrom) => {
  const left = ci.runnerRegistry.addPoll(filter, from)
  let stage: Stage | null = null
  try {
    stage = await ci.queue.request(filter, signal)
    return stage
  } finally {
    left(stage?.id)
  }
}

const accept = async (ci: CiContext, stageId: number, machine: string, remote: boolean): Promise<Stage> => {
  const buildId = required(await findBuildOfStage(ci.db, stageId))
  const accepted = await changeBuild(ci, buildId, async (tx) => {
    const stage = required(await findStage(tx, stageId))
    if (stage.machine || stage.status !== 'pending') throw new OptimisticLockError()
    if (remote) await setRemote(tx, stageId, true)
    return updateStage(tx, { ...stage, machine, updated: ci.now() })
  }).finally(() => ci.queue.release(stageId))
  ci.runnerRegistry.accepted(stageId, machine)
  return accepted
}

const open = (options: ManagerOptions, name: string, sealed: string): string => {
  try {
    return options.decrypt(sealed)
  } catch {
    throw new Refusal(500, `The secret ${name} cannot be read: it was encrypted with a different key, or is damaged`)
  }
}

/** Repositories of older versions have tens of thousands: others have their turn in between. */
const openAll = async (options: ManagerOptions, sealed: readonly SealedSecret[]): Promise<SealedSecret[]> => {
  const opened: SealedSecret[] = []
  for (const secret of sealed) {
    await yieldToEventLoop()
    opened.push({ ...secret, data: open(options, secret.name, secret.data) })
  }
  return opened
}

/**
 * The pull request of a stranger, or of a fork, could print secrets of the file: nothing says that
 * it may see one.
 */
const isInlineWithheld = (build: Build, repo: Repo): boolean =>
  build.event === 'pull_request' &&
  build.source_repo !== '' &&
  (!repo.private || build.source_repo.toLowerCase() !== repo.slug.toLowerCase())

/** docs/api §7.5: pull requests see only the secrets that say so. */
const details = async (
  ci: CiContext,
  options: ManagerOptions,
  stageId: number,
  reach?: string,
): Promise<StageContext> => {
  const buildId = required(await findBuildOfStage(ci.db, stageId))
  const stages = await listStages(ci.db, buildId)
  const stage = required(stages.find(({ id }) => id === stageId) ?? null)
  const build = required(await findBuild(ci.db, buildId))
  const repo = required(await findRepo(ci.db, build.repo_id))
  const internals = required(await findRepoInternals(ci.db, repo.id))
  const sealed = await listSealedSecrets(ci.db, repo)
  const origin = await options.origins.of(build, repo, reach)
  return {
    build: { ...build, stages },
    stage,
    repo: { ...repo, git_http_url: origin.url },
    repoSecret: isInlineWithheld(build, repo) ? '' : internals.secret,
    config: required(await findConfig(ci.db, build.id)),
    secrets: await openAll(
      options,
      sealed.filter((secret) => build.event !== 'pull_request' || secret.pull_request),
    ),
    system: options.system,
    origin,
    cloneFrom: internals.path,
  }
}

export const createManager = (ci: CiContext, closers: LogClosers, options: ManagerOptions): RunnerManager => ({
  request: (filter, signal, from) => request(ci, filter, signal, from),
  accept: (stageId, machine, { remote = false } = {}) => accept(ci, stageId, machine, remote),
  details: (stageId, reach) =>
    ci.writes.retryWithBackoff(`stage ${stageId}`, () => details(ci, options, stageId, reach)),
  async credential(stageId, reach) {
    const build = required(await findBuild(ci.db, required(await findBuildOfStage(ci.db, stageId))))
    const repo = required(await findRepo(ci.db, build.repo_id))
    return (await options.origins.of(build, repo, reach)).netrc
  },
  // Only the runner knows what it reports: it is kept until it is written.
  updateStage(stage) {
    if (isDone(stage.status)) ci.runnerRegistry.over(stage.id)
    return ci.writes.retryWithBackoff(`the report of stage ${stage.id}`, () => reportStage(ci, closers, stage))
  },
  updateStep: (step) =>
    ci.writes.retryWithBackoff(`the report of step ${step.id}`, () => reportStep(ci, closers, step)),
  async watch(buildId, signal) {
    // Subscribes before it reads the state, so a cancel in between is not missed (docs/api §7.7
    // describes how Drone misses it).
    const ended = new AbortController()
    const released = ci.watchers.wait(buildId, AbortSignal.any([signal, ended.signal]))
    try {
      if (await ci.writes.retryWithBackoff(`build ${buildId}`, () => isOver(ci, buildId), { signal })) return true
      return await released
    } finally {
      ended.abort()
    }
  },
  appendLog: (stepId, lines) => ci.logs.append(stepId, lines),
})
