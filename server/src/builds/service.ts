/** The embedded CI, wired (architecture.md, flow 5). */
import type { Build, ManagedRunnerState, RetentionLimits } from '@flightdeck/api'
import { noteRepos } from '../store/changes.ts'
import type { Db } from '../store/open.ts'
import { addCard } from './add-card.ts'
import { createCauses, removeLogs } from './failure-causes.ts'
import { createConfigTexts } from './pipeline-config-cache.ts'
import { notifyBuild, type CiContext } from './context.ts'
import { rescheduleCron } from './cron.ts'
import type { PipelineFiles } from '../pipeline-files/pipeline-files.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import type { GitReader } from '../interfaces/git.ts'
import { logError } from '../lib/log.ts'
import { createKeyedMutex } from '../lib/keyed-mutex.ts'
import { createBuildClocks } from './build-clocks.ts'
import { createLogClosers } from './delayed-log-close.ts'
import { createManager } from './manager.ts'
import { createOrigins } from './clone-origins.ts'
import { startDiskClock } from './disk-clock.ts'
import { createQueue } from './stage-queue.ts'
import { startReaper } from './reaper.ts'
import { createRetention } from './retention/retention.ts'
import { createRetentionClock } from './retention/retention-clock.ts'
import { recoverBuilds } from './recover.ts'
import { abandonStages } from './remote/lost-stages.ts'
import { createCredentials } from './remote/credentials.ts'
import { createRemoteManager } from './remote/manager.ts'
import { createHeartbeats } from './remote/heartbeats.ts'
import { startHeartbeatTimeouts } from './remote/heartbeat-timeout.ts'
import type { RemoteManager } from '../interfaces/remote.ts'
import type { Ci } from '../interfaces/ci.ts'
import type { EventBus } from '../interfaces/events.ts'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import type { LogStore } from '../interfaces/logs.ts'
import type { FindOrigin } from '../interfaces/origin.ts'
import type { StageContext } from '../interfaces/runner.ts'
import { createRunnerRegistry } from './waiting/runner-registry.ts'
import { startWaitingClock } from './waiting/waiting-notifier.ts'
import { runnersState } from './waiting/runner-overview.ts'
import { createReasons } from './waiting/waiting-reasons.ts'
import { createWatchers } from './build-watchers.ts'
import { createWrites, type Writes } from '../store/writes.ts'
import { createBuildPages } from './build-pages.ts'
import { createBuildStarts } from './build-starts.ts'
import { createCronJobs } from './cron-jobs.ts'
import { monotonicMs, startClock } from '../lib/monotonic-time.ts'

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
  /** Derives a text that only this server can derive, the same after a restart. */
  derive: (text: string) => string
  /** How the Docker runner is that this server keeps itself. */
  keptRunner?: () => ManagedRunnerState
  /** For repositories on a Git host; without it, all repositories are folders. */
  findOrigin?: FindOrigin
  /** Seconds without a heartbeat after which an external runner counts as lost; default 180. */
  runnerTimeout?: number
  /** The time zone of cron schedules; default UTC. */
  timeZone?: string
  /** How many builds and logs to keep if a repository has no setting of its own; default: all. */
  retention?: RetentionLimits
  /** Gives what removed rows took back to the disk. */
  releaseSpace?: (signal: AbortSignal) => Promise<void>
  /** New stages wait while its disk is nearly full; without it they never do. */
  dataDir?: string
  /** Unix seconds; for tests. */
  now?: () => number
  writes?: Writes
  /** Resolves when all changes so far survive a power failure; default: immediately. */
  durable?: () => Promise<void>
}

/** Functions for the server itself, in addition to `Ci`. */
export interface EmbeddedCi extends Ci {
  /** For hooks: a ref that moved. `null` if the trigger was skipped. */
  trigger(repoId: number, hook: Hook, source?: HookSource): Promise<Build | null>
  /** For runners on other machines. */
  readonly remote: RemoteManager
  /**
   * An external runner is lost for certain: its running stages end with this error, accepted ones
   * are requeued.
   */
  abandon(machine: string, message: string): Promise<void>
  /** Once, before any runner polls: ends what the previous server process left running. */
  recover(): Promise<void>
  /**
   * Cancels the builds of a pull request that have not started; `by` is the login of the user who
   * closed it.
   */
  cancelWaiting(repoId: number, ref: string, by: string): Promise<void>
  /**
   * Starts the cron clock and the reaper. `workspaces`: the folder for workspaces, if it is outside
   * the data folder.
   */
  startClocks(workspaces?: string): void
  /** The server stops: what could not be written until now has a few seconds left. */
  stopRetries(): void
  /** Stops clocks and pending waits, and closes live logs. */
  close(): Promise<void>
}

export const createCi = (deps: CiDeps): EmbeddedCi => {
  const now = deps.now ?? (() => Math.floor(Date.now() / 1000))
  const timeZone = deps.timeZone ?? 'UTC'
  const { db, events, logs, git, files, writes = createWrites() } = deps
  const durable = deps.durable ?? (() => Promise.resolve())
  // Both notify the reasons, which depend on them.
  const changed = (): void => reasons.changed()
  const queue = createQueue(db, changed)
  const milliseconds = deps.now ? () => now() * 1000 : undefined
  const runnerRegistry = createRunnerRegistry(changed, milliseconds)
  const reasons = createReasons({
    db,
    runnerRegistry,
    managedRunner: deps.keptRunner,
    isPaused: () => queue.isPaused(),
    isDiskFull: () => queue.isHeld(),
    now: milliseconds,
  })
  const configs = createConfigTexts()
  const shared = { db, events, logs, git, files, configs, queue, runnerRegistry, reasons, now, writes, durable }
  const buildClocks = createBuildClocks(now, () => startClock(() => now() * 1000, milliseconds ?? monotonicMs))
  const ci: CiContext = { ...shared, clocks: buildClocks, watchers: createWatchers(), locks: createKeyedMutex() }
  const causes = createCauses(ci)
  const closers = createLogClosers(logs, writes, (stepId) => causes.enqueue(stepId))
  const credentials = createCredentials(deps.derive)
  const origins = createOrigins(credentials, deps.findOrigin, deps.system.link)
  const runners = createManager(ci, closers, { decrypt: deps.decrypt, system: deps.system, origins })
  const presence = createHeartbeats()
  const remote = createRemoteManager({ ci, manager: runners, presence, credentials })
  // git for builds that people start; pages have a separate queue.
  const gitStarts = createFairSemaphore({ concurrency: 2, maxWaiting: 200 })
  const starts = createBuildStarts(ci, closers, gitStarts)
  const { startClock: startCronClock, ...cronJobs } = createCronJobs({
    ci,
    timeZone,
    trigger: starts.trigger,
    starts: gitStarts,
  })
  const retention = createRetention(ci, deps.retention)
  const retentionClock = createRetentionClock({
    db,
    now,
    timeZone,
    async run(signal) {
      await retention.run(signal)
      await deps.releaseSpace?.(signal).catch((error: unknown) => logError('Unused space could not be released', error))
    },
  })
  const clocks: { stop(): Promise<void> }[] = []

  return {
    ...starts,
    ...cronJobs,
    ...createBuildPages(ci, deps.system),
    events,
    logs,
    runners,
    remote,
    abandon: (machine, message) => abandonStages(ci, closers, machine, message),
    sync: (user) => gitStarts.run(() => deps.repositories.sync(user)),
    refused: () => deps.repositories.refused(),
    enable: (repo, by) => deps.repositories.enable(repo, by),
    disable: (repo) => deps.repositories.disable(repo),
    addCard: (step, card) => addCard(ci, step, card),
    sign: (repo, text, secret) => files.sign(repo.id, { text, secret }),
    async recover() {
      await remote.recover()
      await recoverBuilds(db, now())
      await rescheduleCron(db, now(), timeZone)
      queue.poke()
    },
    startClocks(workspaces) {
      retentionClock.start()
      clocks.push(
        startReaper(ci, closers),
        startHeartbeatTimeouts({ ci, closers, presence, seconds: deps.runnerTimeout ?? 180 }),
        startWaitingClock({
          onSnapshot: (listener) => reasons.onSnapshot(listener),
          readSnapshot: () => reasons.snapshot(),
          isIdle: () => reasons.isIdle(),
          async publish(buildId, repoId) {
            await noteRepos(db, [repoId])
            await ci.locks(buildId, () => notifyBuild(ci, buildId))
          },
        }),
        startCronClock(),
      )
      if (deps.dataDir !== undefined) clocks.push(startDiskClock({ queue, folder: deps.dataDir, workspaces }))
    },
    runnersState: (version) =>
      runnersState({ db, reasons, managedRunner: deps.keptRunner, isPaused: () => queue.isPaused(), now, version }),
    retention: async (repo) => retention.state(repo, await retentionClock.next()),
    async changeRetention(repo, patch) {
      await retention.change(repo, patch)
      return retention.state(repo, await retentionClock.next())
    },
    removeLogs: (steps) => removeLogs(ci, steps),
    withReasons: (builds) => reasons.withReasons(builds),
    stagesWithReasons: (stages) => reasons.stages(stages),
    stopRetries: () => writes.stopRetries(),
    pauseQueue: () => queue.pause(),
    resumeQueue: () => queue.resume(),
    async close() {
      // Their last runs use the database; what cannot be written now must not hold them up.
      writes.stopRetries()
      await Promise.all([retentionClock, ...clocks.splice(0)].map((clock) => clock.stop()))
      queue.close()
      await events.stop()
      await closers.stop()
      await causes.stop()
      await writes.stop()
      await logs.stop()
    },
  }
}
