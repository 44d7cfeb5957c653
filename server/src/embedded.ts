/**
 * The embedded CI with all its parts, from the first start of its clocks to the end of its last
 * process.
 */
import { existsSync } from 'node:fs'
import type { ManagedRunnerState } from '@flightdeck/api'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createEventBus } from './builds/event-bus.ts'
import { createPipelineFiles } from './pipeline-files/pipeline-files.ts'
import { cloneSource } from './source/git/clone-source.ts'
import { createGit } from './source/git/git.ts'
import { createGitProcessPool } from './source/git/git-process-pool.ts'
import type { GitReader } from './interfaces/git.ts'
import type { CloneServer } from './interfaces/clone.ts'
import type { PushServer } from './interfaces/push.ts'
import { createCloneServer } from './source/git/clone-server.ts'
import { createPushServer } from './source/git/push-server.ts'
import { createLogStore } from './logs/logs.ts'
import { endOrphans } from './runner/processes/end-processes.ts'
import { raiseProcessorShare } from './machine/processor-share.ts'
import { findProtection, ImpossibleProtection, type Protection } from './machine/protection.ts'
import { watchRefs, type RefWatcher } from './source/refs/ref-watcher.ts'
import { createMirrors } from './source/mirrors/mirrors.ts'
import { joinSources } from './source/repositories/sources.ts'
import { createRepositories, type Repositories } from './source/repositories/repositories.ts'
import { startRunner } from './runner/start-runner.ts'
import { makeSample, sampleRepositoryPath, sampleSlug } from './source/sample/sample.ts'
import { createCi, type EmbeddedCi } from './builds/service.ts'
import { createWrites } from './store/writes.ts'
import type { Hook, HookSource } from './interfaces/hook.ts'
import { StartError } from './lib/start-error.ts'
import type { Options } from './options/options.ts'
import type { ConnectedForge } from './forge/forge.ts'
import { prepareForge } from './startup/forge-connection.ts'
import { UsageError } from './options/values.ts'
import type { SecretsBox } from './lib/secrets-box.ts'
import type { Store } from './store/open.ts'
import { adoptRepos } from './store/owners.ts'
import { listRemoteStages } from './store/remote-stages.ts'
import { findRepoBySlug } from './store/repos.ts'
import { clearSyncing, listUsers } from './store/users.ts'
import { errorMessage } from './lib/error-message.ts'

export interface EmbeddedOptions extends Pick<
  Options,
  | 'data'
  | 'repos'
  | 'capacity'
  | 'runAs'
  | 'isolation'
  | 'expose'
  | 'adminPasswordFile'
  | 'rpcSecretFile'
  | 'defaultAccess'
  | 'logLimit'
  | 'retention'
  | 'timeZone'
  | 'runnerTimeout'
  | 'forge'
> {
  store: Store
  box: SecretsBox
  publicUrl: string
  /** State of the Docker runner that this server starts. */
  keptRunner?: (() => ManagedRunnerState) | undefined
  /** The address at which steps on this machine reach the server. */
  reach?: string
  version: string
  /** The program of the worker threads that parse pipeline files. */
  workerScript: string
  /** The program that starts the processes of steps. */
  spawnerScript: string
  log: (message: string) => void
}

export interface Embedded {
  ci: EmbeddedCi
  repositories: Repositories
  git: GitReader
  /** `null`: repositories are folders on this machine only. */
  forge: ConnectedForge | null
  /** Description of the isolation of steps. */
  protection: string
  /** Serves clones to runners on other machines. */
  clones: CloneServer
  /** Serves `git push` of users. */
  pushes: PushServer
  /**
   * Starts no more stages. Resolves when the stages on this machine, including those of its Docker
   * runner, have ended.
   */
  drain(signal: AbortSignal): Promise<void>
  /** Ends running stages. Resolves when no process of a step is left. */
  stop(): Promise<void>
}

/** Interval at which a drain checks whether the Docker runner is idle. */
const drainLookMs = 500

const now = () => Math.floor(Date.now() / 1000)

/** Checked before the runner starts, because a server that cannot run steps must not start. */
function protect({ data, repos, runAs, isolation, expose, ...files }: EmbeddedOptions): Promise<Protection> {
  const hidden = [repos, files.adminPasswordFile, files.rpcSecretFile].filter((path) => path !== undefined)
  const options = { dataDir: data, isolation, runAs, hidden, exposed: expose }
  return findProtection(options).catch((error: unknown) => {
    const message = errorMessage(error)
    throw error instanceof ImpossibleProtection ? new UsageError(message) : new StartError(message)
  })
}

const newSample = (data: string): Promise<boolean> =>
  makeSample(data).catch((error: unknown) => {
    throw new StartError(`${sampleRepositoryPath(data).path}: ${errorMessage(error)}`)
  })

/** Enables the sample repository at the start that created it. */
async function enableSample(store: Store, ci: EmbeddedCi): Promise<void> {
  const repo = await findRepoBySlug(store.db, sampleSlug)
  const admin = (await listUsers(store.db)).find((user) => user.admin)
  if (repo && admin) await ci.enable(repo, admin)
}

/** Resolves when the runner on `machine` has no stage. */
async function untilIdle(db: Store['db'], machine: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const stages = await listRemoteStages(db)
    if (!stages.some((stage) => stage.machine === machine)) return
    await delay(drainLookMs, undefined, { signal }).catch(() => undefined)
  }
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { store, data, publicUrl, version, log } = options
  const { db } = store
  // Runs in parallel, because it mostly waits for processes. Errors are thrown where it is awaited.
  const protecting = protect(options)
  protecting.catch(() => {})
  // Runs before the sample is created: a sample left by a failed start would not be enabled at the
  // next one.
  if (options.repos === undefined) await protecting
  const isNewSample = options.repos === undefined && (await newSample(data))
  const sample = sampleRepositoryPath(data)
  const hasSample = existsSync(sample.path)
  const url = new URL(publicUrl)
  const git = await createGit({ dataDir: data, own: hasSample ? [sample.path] : [] })
  const lasting = createGitProcessPool(git)
  const folders = [...(options.repos === undefined ? [] : [options.repos]), ...(hasSample ? [sample.folder] : [])]
  const repositories = createRepositories({
    db,
    git,
    folders,
    publicUrl,
    defaultAccess: options.defaultAccess,
    now,
  })
  const connecting =
    options.forge &&
    (await prepareForge(options.forge, {
      db,
      box: options.box,
      publicUrl,
      git: lasting,
      mirrors: createMirrors({ db, git, dataDir: data, now }),
      now,
      log,
      activate: (repo, by) => repositories.enable(repo, by),
      deactivate: (repo) => repositories.disable(repo),
    }))
  let forge: ConnectedForge | null = null
  let refs: RefWatcher | undefined
  const followed: Pick<Repositories, 'sync' | 'enable' | 'disable'> = {
    async sync(user) {
      await repositories.sync(user)
      refs?.refresh()
    },
    async enable(repo, by) {
      const enabled = await repositories.enable(repo, by)
      refs?.refresh()
      return enabled
    },
    async disable(repo) {
      const disabled = await repositories.disable(repo)
      refs?.refresh()
      return disabled
    },
  }
  const files = createPipelineFiles({ script: options.workerScript })
  const writes = createWrites(log)
  const ci = createCi({
    db,
    events: createEventBus(),
    logs: createLogStore({
      folder: join(data, 'logs'),
      limit: options.logLimit,
      writes,
      searchScript: join(dirname(options.workerScript), 'log-search-worker.js'),
    }),
    writes,
    durable: () => store.durable(),
    git: lasting,
    files,
    findOrigin: async (build, repo) => (await forge?.origin(build, repo)) ?? null,
    repositories: {
      ...joinSources({ db, folders: followed, readFolders: () => repositories.syncAll(), forge: () => forge }),
      refused: () => repositories.refused(),
    },
    dataDir: data,
    timeZone: options.timeZone,
    retention: options.retention,
    releaseSpace: (signal) => store.releaseSpace(signal),
    decrypt: (sealed) => options.box.decrypt(sealed),
    derive: (text) => options.box.derive(text),
    runnerTimeout: options.runnerTimeout,
    ...(options.keptRunner && { keptRunner: options.keptRunner }),
    system: { proto: url.protocol.slice(0, -1), host: url.host, link: publicUrl, version },
  })

  // Processes first: no step may write to a log that is being closed.
  await endOrphans(data)
  await clearSyncing(db)
  await adoptRepos(db)
  await ci.recover()
  await repositories.syncAll()
  const protection = await protecting
  const lowerProcessorShare = raiseProcessorShare()
  const runner = await startRunner({
    ...options,
    protection,
    manager: ci.runners,
    files,
    dataDir: data,
    outputScript: join(dirname(options.workerScript), 'output-worker.js'),
    prepareClone: cloneSource,
    gitEnvironment: git.environment,
  })
  const onHook = async (repo: { id: number }, hook: Hook, source: HookSource) => {
    await ci.trigger(repo.id, hook, source)
  }
  refs = watchRefs({ db, git, now, log, onHook })
  if (isNewSample) await enableSample(store, ci)
  forge = connecting?.connect(ci) ?? null
  ci.startClocks(runner.sharedFolder)

  return {
    ci,
    repositories,
    git,
    forge,
    protection: protection.description,
    clones: createCloneServer({ environment: git.environment, folder: join(data, 'git', 'served') }),
    pushes: createPushServer(),
    async drain(signal) {
      // Other runners get no stages either: the next server hands them out.
      ci.pauseQueue()
      const docker = options.keptRunner?.().name
      await Promise.all([runner.drain(), docker !== undefined && untilIdle(db, docker, signal)])
    },
    async stop() {
      ci.stopRetries()
      connecting?.stop()
      await forge?.stop()
      await refs?.stop()
      await runner.stop()
      lowerProcessorShare()
      await ci.close()
      await files.close()
      lasting.close()
    },
  }
}
