/** One running server: everything that `main.ts` wires, without flags and signals. */
import { dirname, join } from 'node:path'
import { createEmbeddedApp } from './apps/embedded-app.ts'
import { StartError } from './lib/start-error.ts'
import { lockDataFolder } from './startup/data-folder.ts'
import { dockerPlatform, prepareDocker, type DockerRunner } from './startup/docker-runner.ts'
import { startEmbedded, type Embedded } from './embedded.ts'
import { prepareAdministrator, type Administrator } from './people/first-start.ts'
import type { Health } from './interfaces/health.ts'
import type { HttpDependencies } from './http/context.ts'
import { listen, type Listener } from './listener/listener.ts'
import type { Options } from './options/options.ts'
import { firstRepo } from './startup/first-repo.ts'
import { nextSteps, type StartState } from './startup/next-steps.ts'
import { createFigures } from './operation/figures.ts'
import { databaseCheck, diskCheck, dockerCheck, forgeCheck, logsCheck, loopCheck } from './operation/health-checks.ts'
import { createHealth } from './operation/health.ts'
import { startLoopMonitor, type LoopMonitor } from './operation/loop-monitor.ts'
import { openSecretsBox, type SecretsBox } from './lib/secrets-box.ts'
import { startCommand } from './startup/start-command.ts'
import { explainStart } from './startup/start-failure.ts'
import { fillIndex } from './store/build-search/index-builds.ts'
import { createBuildSearch } from './store/build-search/search.ts'
import { copyBeforeMigration } from './store/migration-copy.ts'
import { openStore, type Db, type Store } from './store/open.ts'
import { readRepoOverview } from './store/repo-lists.ts'
import { findAnySealed } from './store/secrets.ts'
import { pruneAudit } from './store/audit.ts'
import { expireAccessTokens } from './store/access-tokens.ts'
import { expireWallLinks } from './store/wall-links.ts'
import { startUpkeep } from './operation/upkeep.ts'
import { deleteExpiredSessions } from './store/sessions.ts'

export interface ServerOptions extends Options {
  version: string
  webRoot: string
  /** The program of the threads that read pipeline files. */
  workerScript: string
  /** The program that starts the processes of steps. */
  spawnerScript: string
  log: (message: string, error?: unknown) => void
  faults: () => number
  /** The command line's arguments, for messages that suggest how to start again. */
  args?: readonly string[]
}

export interface RunningServer {
  publicUrl: string
  administrator: Administrator | null
  /** What is wrong with single repositories; the server runs without them. */
  problems: readonly string[]
  /** Lines of the startup message that describe runners and isolation. */
  work: readonly string[]
  /** Lines of the startup message that suggest what to do next. */
  next: readonly string[]
  /**
   * Starts no more stages; resolves when the stages on this machine have ended, or when `signal`
   * aborts.
   */
  drain(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

const dockerFilter = { type: 'docker', ...dockerPlatform }

const now = () => Math.floor(Date.now() / 1000)

/** Better now than at the first build that needs a secret. */
async function checkKey(db: Db, box: SecretsBox): Promise<void> {
  const sealed = await findAnySealed(db)
  try {
    if (sealed !== null) box.decrypt(sealed)
  } catch {
    throw new StartError(
      'The secrets key is not the one that this data folder was created with (FLIGHTDECK_SECRETS_KEY, or the file secrets-key)',
    )
  }
}

/** Ends what has been started, the last first; one failure does not keep the others from ending. */
export async function endAll(ends: readonly (() => Promise<void> | void)[], log: ServerOptions['log']): Promise<void> {
  for (const end of ends.toReversed()) {
    try {
      await end()
    } catch (error) {
      log('something did not shut down cleanly', error)
    }
  }
}

async function overlook(db: Db, git: Embedded['git']): Promise<StartState> {
  const { candidates, ...counts } = await readRepoOverview(db)
  return { ...counts, first: await firstRepo(candidates, git) }
}

interface HealthParts {
  store: Store
  embedded: Embedded
  monitor: LoopMonitor
  runner: DockerRunner | undefined
}

function healthOf({ data, version, forge }: ServerOptions, { store, embedded, monitor, runner }: HealthParts): Health {
  const checks = [databaseCheck(store.db), diskCheck(data), logsCheck(join(data, 'logs')), loopCheck(monitor)]
  if (runner) checks.push(dockerCheck(() => runner.state()))
  if (embedded.forge && forge) {
    checks.push(forgeCheck(embedded.forge.title, forge.settings.apiUrl ?? forge.settings.url))
  }
  return createHealth(checks, { version })
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const ends: (() => Promise<void> | void)[] = []
  const database = join(options.data, 'flightdeck.db')
  try {
    ends.push(lockDataFolder(options.data))
    const listener: Listener = await listen(options.host, options.port)
    ends.push(() => listener.close())
    const publicUrl = options.publicUrl ?? listener.url
    const copy = await copyBeforeMigration(database)
    if (copy !== null) options.log(`The database was migrated; ${copy} is a copy from before`)
    const store = openStore(database)
    ends.push(() => store.close())
    const search = createBuildSearch({
      database,
      script: join(dirname(options.workerScript), 'build-search-worker.js'),
    })
    ends.push(() => search.close())
    const box = openSecretsBox(options.data, options.secretsKey)
    await checkKey(store.db, box)
    const administrator = await prepareAdministrator(store.db, options, now())
    const ready = administrator?.ready.catch(() => undefined)
    ends.push(() => ready)
    const docker = await prepareDocker(options)
    const { runner } = docker
    if (runner) ends.push(() => runner.stop())
    const embedded: Embedded = await startEmbedded({
      ...options,
      store,
      box,
      publicUrl,
      reach: listener.local,
      ...(runner && { keptRunner: () => runner.state() }),
    })
    ends.push(() => embedded.stop())
    await docker.abandonFormer((machine, message) => embedded.ci.abandon(machine, message))
    // Readers of streams go first: to them an ending log must look like a cut, not like its end.
    ends.push(() => listener.cut())
    const { ci } = embedded
    const figures = createFigures(options.data)
    const monitor = startLoopMonitor((delayMs) => figures.observeLoop(delayMs))
    ends.push(() => monitor.stop())
    const dependencies: HttpDependencies = {
      store,
      ci,
      search,
      box,
      publicUrl,
      trustProxy: options.trustProxy,
      allowOrigins: options.allowOrigins,
      host: options.host,
      allowHosts: options.allowHosts,
      defaultAccess: options.defaultAccess,
      publicPages: options.publicPages,
      version: options.version,
      webRoot: options.webRoot,
      log: options.log,
      faults: options.faults,
      figures,
      metricsAccess: options.metricsAccess,
      health: healthOf(options, { store, embedded, monitor, runner }),
      forge: embedded.forge,
      rpc: {
        secret: options.rpcSecret,
        runners: ci.remote,
        clones: embedded.clones,
        pushes: embedded.pushes,
        ...(!runner && { dockerStart: { command: startCommand(options.args, '--docker'), filter: dockerFilter } }),
      },
    }
    const upkeep = startUpkeep(
      [
        { what: 'ending expired tokens', run: (time) => expireAccessTokens(store.db, time) },
        { what: 'ending expired links to the wall', run: (time) => expireWallLinks(store.db, time) },
        { what: 'removing old entries of the audit log', run: (time) => pruneAudit(store.db, time) },
        { what: 'removing expired sessions', run: (time) => deleteExpiredSessions(store.db, time) },
      ],
      { now, log: options.log },
    )
    ends.push(() => upkeep.stop())
    await administrator?.ready
    listener.serve(createEmbeddedApp(dependencies).fetch)
    const filling = new AbortController()
    const filled = fillIndex(store.db, filling.signal, options.log)
    ends.push(() => {
      filling.abort()
      return filled
    })
    if (runner) {
      runner.start(dependencies, (machine, message) => ci.abandon(machine, message))
      // Before the rest of the server: it takes the ends of its stages.
      ends.push(() => runner.stop())
    }
    return {
      publicUrl,
      administrator,
      work: [
        ...(embedded.forge ? [`git host  ${embedded.forge.title} at ${embedded.forge.url}`] : []),
        `steps     ${embedded.protection}`,
        ...(runner ? [`docker    ${runner.message}`] : []),
      ],
      next: nextSteps(
        await overlook(store.db, embedded.git),
        { folder: options.repos, forge: embedded.forge?.title },
        publicUrl,
      ),
      problems: embedded.repositories.problems().map(({ message }) => message),
      drain: (signal) => embedded.drain(signal),
      stop: () => endAll(ends, options.log),
    }
  } catch (error) {
    await endAll(ends, options.log)
    throw explainStart(error, { database, folder: options.data })
  }
}
