/**
 * Starts what `--docker` needs: the connection to Docker, a listener for containers, and the
 * managed runner.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { ManagedRunnerState } from '@flightdeck/api'
import { connectDocker, OldDocker, until, type KnownDocker } from '../docker/api.ts'
import type { RunnerSettings } from '../docker/container.ts'
import { tagOf, versionFor } from '../docker/labels.ts'
import { removeContainers, removeNetworks } from '../docker/leftovers.ts'
import { NoNetwork, prepareNetwork, removeNetwork, type RunnerNetwork } from '../docker/network.ts'
import { keepRunner, stopMs, type KeptRunner } from '../docker/runner.ts'
import { explainSocket } from '../docker/docker-messages.ts'
import { StartError } from '../lib/start-error.ts'
import type { HttpDependencies } from '../http/context.ts'
import { restartText } from '../interfaces/runner.ts'
import { listen, type Listener } from '../listener/listener.ts'
import { folderMark } from '../machine/process-mark.ts'
import { thisPlatform } from '../machine/platform.ts'
import { createRunnersApp } from '../apps/runners-app.ts'

export interface DockerOptions extends RunnerSettings {
  /** The path of Docker's Unix socket. */
  socket: string
  /** An existing network; without it, one is created. */
  network: string | undefined
  /** The port at which containers reach this server; 0: any free port. */
  port: number
}

interface PreparedOptions {
  data: string
  docker: DockerOptions | undefined
  version: string
  log: (message: string) => void
}

/**
 * Polls and watches of the managed runner stay open longer than others: after an empty response an
 * official runner pauses for 10 s (docs/api §7.2), in which it receives no stage and no cancel. No
 * proxy in between drops an idle connection.
 */
const pollMs = 120_000

/** The platform of Docker's Linux containers, on any host. */
export const dockerPlatform = { os: 'linux', arch: thisPlatform().arch }

type Abandon = (machine: string, message: string) => Promise<void>

export interface DockerRunner {
  /** Shown when the server starts. */
  readonly message: string
  start(dependencies: HttpDependencies, abandon: Abandon): void
  /** The runner's state, for pages. */
  state(): ManagedRunnerState
  stop(): Promise<void>
}

export interface Prepared {
  runner: DockerRunner | undefined
  /** Ends the stages of a runner that a previous start left behind. */
  abandonFormer(abandon: Abandon): Promise<void>
}

/** Stored for the next start, which removes the runner if this server crashes. */
interface Trace {
  socket: string
  name: string
}
const traceOf = (data: string): string => join(data, 'docker-runner.json')

function readTrace(data: string): Trace | undefined {
  try {
    const { socket, name } = JSON.parse(readFileSync(traceOf(data), 'utf8')) as Partial<Trace>
    return typeof socket === 'string' && typeof name === 'string' ? { socket, name } : undefined
  } catch {
    return undefined
  }
}

async function removeAll(docker: KnownDocker, tag: string): Promise<number> {
  const removed = await removeContainers(docker, tag)
  await removeNetworks(docker, tag)
  return removed
}

/** Runs even without `--docker`: otherwise the runner of a killed server would poll forever. */
async function removeFormer({ data, log }: PreparedOptions, trace: Trace, tag: string): Promise<void> {
  try {
    const removed = await removeAll(await connectDocker(trace.socket), tag)
    if (removed > 0)
      log(`removed ${removed} ${removed === 1 ? 'container' : 'containers'} left over from an earlier run`)
    rmSync(traceOf(data), { force: true })
  } catch (error) {
    log(`leftovers of an earlier Docker runner could not be removed: ${explainSocket(error, trace.socket)}`)
  }
}

/** Connects to Docker before anything starts, and throws a `StartError` if that fails. */
async function connect(socket: string): Promise<KnownDocker> {
  try {
    return await connectDocker(socket, AbortSignal.timeout(30_000))
  } catch (error) {
    const message = error instanceof OldDocker ? error.message : explainSocket(error, socket)
    throw new StartError(`--docker: ${message}`)
  }
}

const network = (docker: KnownDocker, given: string | undefined, tag: string): Promise<RunnerNetwork> =>
  prepareNetwork(docker, given, tag).catch((error: unknown) => {
    const message = error instanceof NoNetwork ? error.message : explainSocket(error, docker.socket)
    throw new StartError(`--docker: ${message}`)
  })

function inWords({ code, message }: NodeJS.ErrnoException, host: string, port: number): Error {
  if (code === 'EADDRINUSE') {
    return new StartError(`--docker: port ${port} on ${host} is already in use; choose another one with --docker-port`)
  }
  if (code === 'EADDRNOTAVAIL') {
    return new StartError(
      `--docker: containers call this machine ${host}, but it does not have that address: Docker runs in a virtual machine or without root, or this server runs in a container. Start a runner manually instead (docs/guide/docker.md)`,
    )
  }
  return new StartError(`--docker: ${host} can’t accept connections from containers: ${message}`)
}

export async function prepareDocker(options: PreparedOptions): Promise<Prepared> {
  const { data, docker: settings, version, log } = options
  const trace = readTrace(data)
  const tag = tagOf(await folderMark(data))
  // The start fails if `--docker` is set and Docker is missing, but not because an earlier start
  // used Docker.
  const docker = settings && (await connect(settings.socket))
  if (trace) await removeFormer(options, trace, tag)
  return {
    runner: settings && docker && (await prepareRunner({ data, settings, docker, tag, version, log })),
    abandonFormer: async (abandon) => trace && abandon(trace.name, restartText),
  }
}

interface RunnerParts extends Pick<PreparedOptions, 'data' | 'version' | 'log'> {
  settings: DockerOptions
  docker: KnownDocker
  tag: string
}

async function prepareRunner({ data, settings, docker, tag, version, log }: RunnerParts): Promise<DockerRunner> {
  await removeContainers(docker, tag)
  const inside = await network(docker, settings.network, tag)
  const listener: Listener = await listen(inside.gateway, settings.port, { inWords }).catch(async (error: unknown) => {
    if (inside.isOwn) await removeNetwork(docker, inside)
    throw error
  })
  // The secret is valid for this start and this listener only.
  const secret = randomBytes(32).toString('base64url')
  const name = `${hostname()}-docker-${tag.slice(0, 6)}`
  const startedAt = Date.now()
  let runner: KeptRunner | undefined
  let abandon: Abandon = () => Promise.resolve()
  let stopping: Promise<void> | undefined
  const say = (message: string) => log(message.replaceAll(secret, '******'))

  return {
    message: `${settings.image} with a capacity of ${settings.capacity}, reaches this server at ${listener.url}`,
    start(dependencies, how) {
      abandon = how
      writeFileSync(traceOf(data), JSON.stringify({ socket: settings.socket, name } satisfies Trace), { mode: 0o600 })
      const reach = { url: listener.url, version: versionFor(version, tag) }
      const rpc = { ...dependencies.rpc, secret, reach, pollMs, onCall: () => runner?.noteCall() }
      listener.serve(createRunnersApp({ ...dependencies, rpc }).fetch)
      runner = keepRunner({
        docker,
        container: { settings, tag, name, network: inside.name, server: listener.url, secret },
        say,
        onEnd: (message) => abandon(name, message),
      })
    },
    state() {
      const { os, arch } = dockerPlatform
      const { state, error, since } = runner?.state() ?? { state: 'starting', since: startedAt }
      return {
        name,
        image: settings.image,
        state,
        ...(error !== undefined && { error: error.replaceAll(secret, '******') }),
        since: Math.floor(since / 1000),
        filter: {
          type: 'docker',
          os,
          arch,
          ...(Object.keys(settings.labels).length > 0 && { labels: settings.labels }),
        },
      }
    },
    stop: () => (stopping ??= stop()),
  }

  async function stop(): Promise<void> {
    // Close the listener first, so that reports of the stopping runner do not become the results of
    // its stages.
    await listener.close()
    await runner?.stop()
    await abandon(name, restartText)
    try {
      const last = until(docker, AbortSignal.timeout(stopMs))
      await removeContainers(last, tag)
      if (inside.isOwn) await removeNetwork(last, inside)
      rmSync(traceOf(data), { force: true })
    } catch (error) {
      log(
        `the Docker runner could not be removed; the next start will remove it: ${explainSocket(error, settings.socket)}`,
      )
    }
  }
}
