/** The embedded CI, wired (architecture.md, flow 5). */
import type { Build, KeptRunnerState, Repo, RetentionLimits } from '@flightdeck/api'
import { findBuildByNumber } from '../store/builds.ts'
import { noteRepos } from '../store/changes.ts'
import { listWaitingOfRef } from '../store/forge-builds.ts'
import { countCron, createCron, findCron } from '../store/cron.ts'
import { inTransaction, type Db } from '../store/open.ts'
import { findEnvironmentRule } from '../store/environments.ts'
import { findRepo } from '../store/repos.ts'
import { approveStage, decline } from './approval.ts'
import { addCard } from './add-card.ts'
import { cancelBuild } from './cancel.ts'
import { createCauses, removeLogs } from './failure-causes.ts'
import { createComparer } from './compare.ts'
import { checkDeployer, mayDeploy } from './deployers.ts'
import { createCommitReader } from './commit-reader.ts'
import { createConfigTexts } from './pipeline-config-cache.ts'
import { required, tellBuild, type CiContext } from './context.ts'
import {
  changeCron,
  checkCron,
  nextTimes,
  rescheduleCron,
  startCronClock,
  startCronJob,
  type CronClock,
} from './cron.ts'
import { buildDetails, withExcerpts } from './build-details.ts'
import type { PipelineFiles } from '../pipeline-files/pipeline-files.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import type { GitReader } from '../interfaces/git.ts'
import { checkAgain } from './rerun.ts'
import { againHook, cronHook, customHook, deployHook, restartHook } from './hooks.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { createLogClosers } from './delayed-log-close.ts'
import { createManager } from './manager.ts'
import { createOrigins } from './clone-origins.ts'
import { checkCount, checkParameters, limits } from '../lib/limits.ts'
import { purge } from './purge.ts'
import { createQueue } from './stage-queue.ts'
import { startReaper } from './reaper.ts'
import { createRetention } from './retention/retention.ts'
import { createRetentionClock } from './retention/retention-clock.ts'
import { recoverBuilds } from './recover.ts'
import { reproduce } from './reproduce.ts'
import { findSecretUses } from './secret-uses.ts'
import { createSourceFiles } from './source-files.ts'
import { createStepChanges } from './step-changes.ts'
import { abandonStages } from './remote/lost-stages.ts'
import { createCredentials } from './remote/credentials.ts'
import { createRemoteManager } from './remote/manager.ts'
import { createHeartbeats } from './remote/heartbeats.ts'
import { startHeartbeatTimeouts } from './remote/heartbeat-timeout.ts'
import type { RemoteManager } from '../interfaces/remote.ts'
import { triggerBuild } from './trigger.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Ci } from '../interfaces/ci.ts'
import type { EventBus } from '../interfaces/events.ts'
import { askedBy, type Hook, type HookSource } from '../interfaces/hook.ts'
import type { LogStore } from '../interfaces/logs.ts'
import type { FindOrigin } from '../interfaces/origin.ts'
import type { StageContext } from '../interfaces/runner.ts'
import { createRunnerRegistry } from './waiting/runner-registry.ts'
import { startWaitingClock } from './waiting/waiting-notifier.ts'
import { runnersState } from './waiting/runner-overview.ts'
import { createReasons } from './waiting/waiting-reasons.ts'
import { createWatchers } from './build-watchers.ts'
import { createWrites, isPassing, type Writes } from '../store/writes.ts'

export interface CiDeps {
  db: Db
  events: EventBus
  logs: LogStore
  git: GitReader
  files: PipelineFiles
  /** Finds, activates and deactivates repositories. */
  repositories: Pick<Ci, 'sync' | 'enable' | 'disable' | 'refused'>
  /** Opens a sealed secret. */
  decrypt: (sealed: string) => string
  system: StageContext['system']
  /** A text that only this server can make from another one, the same after a restart. */
  derive: (text: string) => string
  /** How the Docker runner is that this server keeps itself. */
  keptRunner?: () => KeptRunnerState
  /** Of repositories that live elsewhere; without it this server serves all. */
  findOrigin?: FindOrigin
  /** Seconds without a sign after which a runner on another machine is taken for lost; default 180. */
  runnerTimeout?: number
  /** In which cron jobs are meant; default UTC. */
  timeZone?: string
  /** What is kept of builds and logs where a repository says nothing itself; default: all. */
  retention?: RetentionLimits
  /** Gives what removed rows took back to the disk. */
  releaseSpace?: (signal: AbortSignal) => Promise<void>
  /** Unix seconds; for tests. */
  now?: () => number
  writes?: Writes
  /** Resolves when all that was stored until now outlives a loss of power; default: at once. */
  durable?: () => Promise<void>
}

/** What the rest of the server may ask beyond `Ci`. */
export interface EmbeddedCi extends Ci {
  /** For hooks: a ref that moved. `null` if the trigger was skipped. */
  trigger(repoId: number, hook: Hook, source?: HookSource): Promise<Build | null>
  /** For runners on other machines. */
  readonly remote: RemoteManager
  /** A runner elsewhere is gone for certain: what it ran ends with these words, what it had only taken waits again. */
  abandon(machine: string, words: string): Promise<void>
  /** Once, before any runner asks for work: ends what the last run of the server left behind. */
  recover(): Promise<void>
  /** Ends the builds of a pull request that have not begun; `by` is the login of whoever closed it. */
  cancelWaiting(repoId: number, ref: string, by: string): Promise<void>
  /** Starts the cron clock and the reaper. */
  startClocks(): void
  /** The server stops: what could not be written until now has a few seconds left. */
  hurry(): void
  /** Ends clocks and waits; live logs are closed. */
  close(): Promise<void>
}

const checkRestart = ({ status }: Build): void => {
  if (status === 'declined' || status === 'blocked') throw new Refusal(400, `cannot start a ${status} build`)
}

export const createCi = (deps: CiDeps): EmbeddedCi => {
  const now = deps.now ?? (() => Math.floor(Date.now() / 1000))
  const timeZone = deps.timeZone ?? 'UTC'
  const { db, events, logs, git, files, writes = createWrites() } = deps
  const durable = deps.durable ?? (() => Promise.resolve())
  // Both tell the reasons, which are told by them.
  const changed = (): void => reasons.changed()
  const queue = createQueue(db, changed)
  const milliseconds = deps.now ? () => now() * 1000 : undefined
  const runnerRegistry = createRunnerRegistry(changed, milliseconds)
  const reasons = createReasons({
    db,
    runnerRegistry,
    kept: deps.keptRunner,
    isPaused: () => queue.isPaused(),
    now: milliseconds,
  })
  const configs = createConfigTexts()
  const shared = { db, events, logs, git, files, configs, queue, runnerRegistry, reasons, now, writes, durable }
  const ci: CiContext = { ...shared, watchers: createWatchers(), locks: createKeyedMutex() }
  const causes = createCauses(ci)
  const closers = createLogClosers(logs, writes, (stepId) => causes.look(stepId))
  const credentials = createCredentials(deps.derive)
  const origins = createOrigins(credentials, deps.findOrigin, deps.system.link)
  const runners = createManager(ci, closers, { decrypt: deps.decrypt, system: deps.system, origins })
  const presence = createHeartbeats()
  const remote = createRemoteManager({ ci, manager: runners, presence, credentials })
  // git that somebody asks for, in two lines: pages are anybody's, builds are started by those who may write,
  // one of a repository at a time.
  const pages = createFairSemaphore({ atOnce: 2, places: 40 })
  const starts = createFairSemaphore({ atOnce: 2, places: 200 })
  const commits = createCommitReader(ci, pages)
  const compare = createComparer(ci, pages)
  const stepChanges = createStepChanges(ci, pages)
  // A line of its own, so that nobody else waits where git takes seconds.
  const sources = createSourceFiles(ci, { files: pages, authors: createFairSemaphore({ atOnce: 1, places: 20 }) })
  const retention = createRetention(ci, deps.retention)
  const retentionClock = createRetentionClock({
    db,
    now,
    timeZone,
    async run(signal) {
      await retention.run(signal)
      await deps.releaseSpace?.(signal)
    },
  })
  const clocks: (CronClock | { stop(): void })[] = []

  const trigger = (repoId: number, hook: Hook, source?: HookSource) => triggerBuild(ci, closers, repoId, hook, source)
  const find = async (repo: Repo, number: number): Promise<Build> =>
    required(await findBuildByNumber(db, repo.id, number))

  return {
    events,
    logs,
    runners,
    remote,
    abandon: (machine, words) => abandonStages(ci, closers, machine, words),
    trigger,
    async start(repo, input, by, stillMay) {
      checkParameters(input.params)
      const start = async () => trigger(repo.id, await customHook(ci, repo, input, by), askedBy(stillMay))
      return starts.run(start, repo.id)
    },
    async restart(repo, number, input, by, stillMay) {
      checkParameters(input.params)
      const build = await find(repo, number)
      checkRestart(build)
      await checkDeployer(db, repo, build, { by, verb: 'deploy to' })
      return trigger(repo.id, restartHook(build, input, by), askedBy(stillMay))
    },
    async again(repo, number, part, by, stillMay) {
      const build = await find(repo, number)
      checkRestart(build)
      checkAgain(build, part)
      await checkDeployer(db, repo, build, { by, verb: 'deploy to' })
      return trigger(repo.id, againHook(build, part, by), askedBy(stillMay))
    },
    async deploy(repo, number, input, by, stillMay) {
      checkParameters(input.params)
      const build = await find(repo, number)
      if (input.target === '') throw new Refusal(400, 'Missing target environment')
      await checkDeployer(db, repo, { event: input.event, deploy_to: input.target }, { by, verb: 'deploy to' })
      return trigger(repo.id, deployHook(build, input, by), askedBy(stillMay))
    },
    mayDeploy: async (repo, name, user) => mayDeploy(db, repo, await findEnvironmentRule(db, repo.id, name), user),
    async runCron(repo, name, by, stillMay) {
      const job = required(await findCron(db, repo.id, name))
      const start = async () => trigger(repo.id, await cronHook(ci, repo, job, by), askedBy(stillMay))
      return starts.run(() => startCronJob({ db, now }, job, start), repo.id)
    },
    purge: (repo, before, by) => purge(ci, closers, { repo, before, by }),
    createCron: (repo, input) => {
      const job = checkCron(input, { now: now(), timeZone })
      return inTransaction(db, async (tx) => {
        checkCount(await countCron(tx, repo.id), limits.cronJobs, { what: 'cron jobs', of: 'repository' })
        return createCron(tx, { repo_id: repo.id, ...job })
      })
    },
    changeCron: (before, changes) => changeCron(db, { before, changes }, { now: now(), timeZone }),
    cronTimes: (expr) => ({ times: nextTimes(expr, { now: now(), timeZone }), zone: timeZone }),
    secretUses: (repo) => findSecretUses(ci, repo),
    async cancel(repo, number, by) {
      return cancelBuild(ci, closers, (await find(repo, number)).id, { status: 'killed', by: by.login })
    },
    async cancelWaiting(repoId, ref, by) {
      for (const id of await listWaitingOfRef(db, repoId, ref))
        await cancelBuild(ci, closers, id, { status: 'killed', by })
    },
    approve: (repo, number, stage, by) => approveStage(ci, repo, number, stage, by),
    decline: (repo, number, stage, by) => decline(ci, repo, number, stage, by),
    sync: (user) => starts.run(() => deps.repositories.sync(user)),
    refused: () => deps.repositories.refused(),
    timeZone,
    enable: (repo, by) => deps.repositories.enable(repo, by),
    disable: (repo) => deps.repositories.disable(repo),
    addCard: (step, card) => addCard(ci, step, card),
    sign: (repo, text, secret) => files.sign(repo.id, { text, secret }),
    commit: (repo, refOrSha, signal) => commits.details(repo, refOrSha, signal),
    compare,
    commitSha: (repo, refOrSha) => commits.sha(repo, refOrSha),
    async recover() {
      await remote.recover()
      await recoverBuilds(db, now())
      await rescheduleCron(db, now(), timeZone)
      queue.poke()
    },
    startClocks() {
      clocks.push(
        startReaper(ci, closers),
        startHeartbeatTimeouts({ ci, closers, presence, seconds: deps.runnerTimeout ?? 180 }),
        startWaitingClock({
          onLook: (listener) => reasons.onLook(listener),
          look: () => reasons.look(),
          isIdle: () => reasons.isIdle(),
          async tell(buildId, repoId) {
            await noteRepos(db, [repoId])
            await ci.locks(buildId, () => tellBuild(ci, buildId))
          },
        }),
        startCronClock({
          db,
          now,
          timeZone,
          async fire(job) {
            const repo = required(await findRepo(db, job.repo_id))
            const start = () =>
              startCronJob({ db, now }, job, async () => trigger(repo.id, await cronHook(ci, repo, job)))
            await start().catch((error: unknown) => {
              if (!isPassing(error)) throw error
              writes.later(`the build of the cron job ${job.name}`, start)
            })
          },
        }),
      )
    },
    runnersState: (version) =>
      runnersState({ db, reasons, kept: deps.keptRunner, isPaused: () => queue.isPaused(), now, version }),
    withExcerpts: (build) => withExcerpts(ci, build),
    retention: async (repo) => retention.state(repo, await retentionClock.next()),
    async changeRetention(repo, patch) {
      await retention.change(repo, patch)
      return retention.state(repo, await retentionClock.next())
    },
    removeLogs: (steps) => removeLogs(ci, steps),
    details: (repo, number) => buildDetails(ci, pages, repo, number),
    script: (repo, number, stage, step) => pages.run(() => reproduce(ci, deps.system, { repo, number, stage, step })),
    stepChanges,
    sourceFile: (repo, number, named, signal) => sources.file(repo, number, named, signal),
    sourceAuthors: (place, named, signal) => sources.authors(place, named, signal),
    withReasons: (builds) => reasons.withReasons(builds),
    stagesWithReasons: (stages) => reasons.stages(stages),
    hurry: () => writes.hurry(),
    pauseQueue: () => queue.pause(),
    resumeQueue: () => queue.resume(),
    async close() {
      for (const clock of clocks.splice(0)) clock.stop()
      await retentionClock.stop()
      queue.close()
      writes.hurry()
      await events.stop()
      await closers.stop()
      await causes.stop()
      await writes.stop()
      await logs.stop()
    },
  }
}
