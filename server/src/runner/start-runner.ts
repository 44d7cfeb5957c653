import { availableParallelism, hostname } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAccountSweeper } from '../machine/account-sweeper.ts'
import { hostEnvironment } from '../machine/host-environment.ts'
import { endRange } from '../machine/end-account.ts'
import { removeKernelObjects, removeKeysOf } from '../machine/kernel-objects.ts'
import { perServer } from '../machine/stage-accounts.ts'
import { removeTraces } from '../machine/traces.ts'
import { endOrphans } from './processes/end-processes.ts'
import { createDiskGuard } from './disk/disk-guard.ts'
import { createOutputReader } from './output/output-reader.ts'
import { createPipes } from './processes/output-pipes.ts'
import { createRemoteStarter } from './processes/remote-starter.ts'
import { startsHere } from './processes/starter.ts'
import { folderMark } from '../machine/process-mark.ts'
import type { PipelineFiles } from '../pipeline-files/pipeline-files.ts'
import { findProtection, type Protection } from '../machine/protection.ts'
import { OptimisticLockError } from '../lib/refusal.ts'
import type { PrepareClone, RunnerManager } from '../interfaces/runner.ts'
import { thisPlatform } from '../machine/platform.ts'
import { runStage, type RunnerParts } from './run-stage.ts'
import { findLeftovers, keepRoot, removeRoot, workspaceRoot } from './workspace.ts'
import { createStartingSemaphore, type StartingSemaphore } from './starting-semaphore.ts'
import { startClock } from '../lib/monotonic-time.ts'

/** The delay after a failure, which would otherwise repeat at once. */
const pauseMs = 1000
const minuteMs = 60_000
/** How long to collect ended stages, so that the keys of all are removed in one batch. */
const gatherKeysMs = 1000
/** Longer than a stage with one short step takes on an idle machine. */
const startingMs = 100

export interface RunnerOptions {
  manager: RunnerManager
  files: Pick<PipelineFiles, 'prepare'>
  /** The number of stages that run concurrently. */
  capacity: number
  dataDir: string
  /** How steps are isolated; detected if it is missing. */
  protection?: Protection
  /**
   * The program that starts processes for the server (`processes/spawner.ts`, bundled). Without it
   * the server starts them itself.
   */
  spawnerScript?: string | undefined
  /**
   * The program of the thread that reads output (`output/output-worker.ts`, bundled). Without it
   * the server's own thread reads it.
   */
  outputScript?: string | undefined
  /** Prepares a repository so that a step that must not read it can clone it. */
  prepareClone: PrepareClone
  /** The URL where steps reach this server, if it is not the URL for browsers. */
  reach?: string
  /** The environment of git processes (`Git.environment`). */
  gitEnvironment: Readonly<Record<string, string>>
  /**
   * The length of one minute of a repository's time limit, in milliseconds. Tests use a shorter
   * one.
   */
  limits?: { minute?: number }
  /** With an error, the entry has level `error`. */
  log(message: string, error?: unknown): void
}

export interface Runner {
  /** The system's folder for workspaces, if they are outside the data folder. */
  sharedFolder: string | undefined
  /** Takes no more stages; resolves when the running ones have ended. */
  drain(): Promise<void>
  /** Ends all stages with `restartText`, and all their processes. */
  stop(): Promise<void>
}

/** The built-in runner: a client of the manager like any other (architecture.md, flow 5). */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { manager, dataDir } = options
  const protection = options.protection ?? (await findProtection({ dataDir }))
  const { accounts, sandbox } = protection
  const mark = await folderMark(dataDir)
  await endOrphans(dataDir)
  if (accounts.first !== undefined) {
    await endRange(accounts.first)
    // Kernel objects of the steps of a killed server.
    await removeKernelObjects(accounts.first, accounts.first + perServer - 1)
  }
  const account = accounts.claim()
  // In a sandbox, steps reach their folders through their own mounts and need no access to the
  // parent folders.
  const makeRoot = () => workspaceRoot(dataDir, mark, sandbox ? undefined : account)
  const root = await makeRoot()
  const currentRoot = keepRoot(root, makeRoot)
  const environment = await hostEnvironment(account, sandbox)
  accounts.release(account)
  const leftovers = await findLeftovers(root)
  const pipes = createPipes(join(dataDir, 'pipes'))
  const starter = options.spawnerScript === undefined ? startsHere : createRemoteStarter(options.spawnerScript)
  const outputs = createOutputReader({ script: options.outputScript })
  const sweeper = sandbox
    ? createAccountSweeper(removeKeysOf, { gatherMs: gatherKeysMs })
    : createAccountSweeper(removeTraces)
  const diskGuard = createDiskGuard({ dataDir })
  const parts: RunnerParts = {
    manager,
    files: options.files,
    folderMark: mark,
    workspaceRoot: currentRoot,
    diskGuard,
    pipes,
    outputs,
    starter,
    protection,
    sweeper,
    prepareClone: options.prepareClone,
    reach: options.reach,
    gitEnvironment: options.gitEnvironment,
    hostEnvironment: environment,
    minute: options.limits?.minute ?? minuteMs,
    startClock,
    log: (message, error) => options.log(message, error),
  }
  const stopping = new AbortController()
  const draining = new AbortController()
  const cleared = leftovers
    .remove(stopping.signal)
    .catch((error: unknown) => options.log('leftovers of an earlier run could not be removed', error))
  const machine = hostname()
  const starting = createStartingSemaphore(availableParallelism(), startingMs)
  const slots = Array.from({ length: Math.max(1, options.capacity) }, () =>
    runSlot(parts, starting, machine, { stopped: stopping.signal, drained: draining.signal }),
  )
  return {
    sharedFolder: root.startsWith(join(dataDir, sep)) ? undefined : dirname(root),
    async drain() {
      draining.abort()
      await Promise.all(slots)
    },
    async stop() {
      stopping.abort()
      await Promise.all([...slots, cleared])
      await diskGuard.stop()
      // Ends processes that are left, although there should be none.
      await endOrphans(dataDir)
      await sweeper.close()
      await currentRoot()
        .then(removeRoot)
        .catch(() => {})
      await starter.close()
      await outputs.close()
      await pipes.close()
    },
  }
}

/** Works in one slot of the runner: runs one stage after the other. */
async function runSlot(
  parts: RunnerParts,
  starting: StartingSemaphore,
  machine: string,
  { stopped, drained }: { stopped: AbortSignal; drained: AbortSignal },
): Promise<void> {
  const { manager } = parts
  const noMoreStages = AbortSignal.any([stopped, drained])
  while (!noMoreStages.aborted) {
    try {
      const stage = await manager.request({ kind: 'pipeline', type: 'exec', ...thisPlatform() }, noMoreStages)
      if (!stage) {
        // The server is stopping, or the manager has closed its queue and answers at once.
        await delay(pauseMs, undefined, { signal: noMoreStages }).catch(() => {})
        continue
      }
      const accepted = await manager.accept(stage.id, machine)
      const release = await starting.begin()
      await runStage(parts, accepted, stopped).finally(release)
    } catch (error) {
      // Another runner was faster, or the build was canceled.
      if (error instanceof OptimisticLockError) continue
      parts.log('a stage could not run', error)
      await delay(pauseMs, undefined, { signal: noMoreStages }).catch(() => {})
    }
  }
}
