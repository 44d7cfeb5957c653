/**
 * Keeps one runner running in Docker: fetches its image, starts, watches and restarts it, and
 * reports problems.
 */
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { KnownDocker } from './api.ts'
import { ended, isPaused, isRunning, lastWords, startContainer, type RunnerContainer } from './container.ts'
import { fetchImage, hasImage } from './image.ts'
import { removeContainers } from './leftovers.ts'
import { explainImage, explainSocket, isGone } from './docker-messages.ts'

export interface KeepOptions {
  docker: KnownDocker
  container: RunnerContainer
  say: (message: string) => void
  /** The runner has ended: its stages are no longer being worked on. */
  onEnd: (message: string) => Promise<void>
  /** Milliseconds: the first pause before a restart, and the deadline for the first contact. */
  pauseMs?: number
  contactMs?: number
  /**
   * Milliseconds: how often Docker is asked for its state, after how much silence the runner counts
   * as hanging, and how long Docker may take to answer before its silence is reported.
   */
  checkMs?: number
  silentMs?: number
  slowMs?: number
}

export interface DockerRunnerState {
  state: 'starting' | 'working' | 'failing'
  /** What went wrong last, where it fails. */
  error?: string
  /** Unix milliseconds. */
  since: number
}

export interface KeptRunner {
  /** It has called. */
  noteCall(): void
  state(): DockerRunnerState
  /** Starts no more containers; existing ones must be removed by the caller. */
  stop(): Promise<void>
}

const maxPauseMs = 60_000
/** So long a server waits for Docker when it ends; what is left is the next one's. */
export const stopMs = 10_000
/** A runner that ran this long after its first heartbeat was healthy: the backoff is reset. */
const wellMs = 60_000

/**
 * Tells one socket file from a later one at the same path. A container has the file it was started
 * with, so after a restart of Docker that replaced it a runner that kept running reaches nothing.
 */
async function identifySocket(path: string): Promise<string> {
  const { dev, ino, ctimeMs } = await stat(path)
  return `${dev} ${ino} ${ctimeMs}`
}

export function keepRunner(options: KeepOptions): KeptRunner {
  const {
    docker,
    container,
    say,
    onEnd,
    pauseMs = 1_000,
    contactMs = 20_000,
    checkMs = 3_000,
    silentMs = 180_000,
    slowMs = 10_000,
  } = options
  const { image } = container.settings
  const life = new AbortController()
  const { signal } = life
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {})
  /** Ends in a row; -1: the next one is the first again. */
  let failures = 0
  let isHeard = false
  let lastHeard = 0
  let current: DockerRunnerState = { state: 'starting', since: Date.now() }
  const become = (state: DockerRunnerState['state'], error?: string) => {
    if (current.state === state && current.error === error) return
    current = { state, since: Date.now(), ...(error !== undefined && { error }) }
  }

  /** `isPaused`, which reports meanwhile that Docker hangs. */
  async function checkPaused(id: string): Promise<boolean> {
    const timer = setTimeout(() => become('failing', `Docker does not respond (${docker.socket})`), slowMs)
    try {
      return await isPaused(docker, id)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Resolves with the reason why a running container is unusable. Rejects if Docker does not
   * respond.
   */
  async function watchHealth(id: string, until: AbortSignal): Promise<string> {
    for (;;) {
      await delay(checkMs, undefined, { signal: until })
      const isStopped = await checkPaused(id)
      until.throwIfAborted()
      if (isStopped) return 'The Docker runner was paused'
      // Docker was unavailable, and the runner has kept running meanwhile.
      if (isHeard) become('working')
      // It asks for work, or whether its build was cancelled, every two minutes at the latest.
      const silenceMs = performance.now() - lastHeard
      if (isHeard && silenceMs > silentMs)
        return `The Docker runner sent nothing for ${Math.round(silenceMs / 1000)} seconds`
    }
  }
  /** `until` is aborted when the other one is over. */
  async function endOrHang(id: string): Promise<{ code: number } | { hangs: string }> {
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    const code = ended(docker, id, until).then((number) => ({ code: number }))
    const hangs = watchHealth(id, until).then((message) => ({ hangs: message }))
    for (const one of [code, hangs]) one.catch(() => {})
    try {
      return await Promise.race([code, hangs])
    } finally {
      over.abort()
    }
  }

  async function bring(): Promise<void> {
    if (await hasImage(docker, image)) return
    become('starting')
    await fetchImage(docker, { image, say, signal }).catch((error: unknown) => {
      throw isGone(error) || signal.aborted ? error : new Error(explainImage(error, image))
    })
  }

  /** Resolves with why it ended. */
  async function outlive(id: string, mountedSocket: string): Promise<string> {
    for (;;) {
      try {
        const end = await endOrHang(id)
        if ('hangs' in end) return end.hangs
        const { code } = end
        const message = isHeard ? '' : await lastWords(docker, id).catch(() => '')
        const detail = message.replaceAll(container.secret, '******')
        return `The Docker runner ended with exit code ${code}${isHeard ? '' : ' before it asked for work'}${detail ? `: ${detail}` : ''}`
      } catch (error) {
        if (!isGone(error) || signal.aborted) throw error
        const message = explainSocket(error, docker.socket)
        become('failing', message)
        say(`${message}; waiting for it`)
        await untilBack()
        if (!(await isRunning(docker, id))) return 'The Docker runner stopped because Docker stopped'
        if ((await identifySocket(docker.socket)) !== mountedSocket)
          return 'The Docker runner lost its connection to Docker, which was restarted'
      }
    }
  }
  /** Shows why Docker is unavailable until it is back. What failed before that no longer counts. */
  async function untilBack(): Promise<void> {
    failures = -1
    while (!signal.aborted) {
      try {
        await docker.fetchJson('/version', { signal })
        return
      } catch (error) {
        if (isGone(error)) become('failing', explainSocket(error, docker.socket))
      }
      await pause(pauseMs)
    }
  }

  /** A delay that also detects that Docker stops; when Docker is back, it ends early. */
  async function pauseBesideDocker(ms: number): Promise<void> {
    const until = performance.now() + ms
    while (!signal.aborted && performance.now() < until) {
      await pause(Math.min(checkMs, until - performance.now()))
      try {
        await docker.fetchJson('/version', { signal })
      } catch (error) {
        if (!isGone(error) || signal.aborted) continue
        await untilBack()
        return
      }
    }
  }

  async function runOnce(): Promise<string> {
    await bring()
    await removeContainers(docker, container.tag)
    signal.throwIfAborted()
    isHeard = false
    const mountedSocket = await identifySocket(docker.socket)
    const id = await startContainer(docker, container)
    const timer = setTimeout(() => {
      if (isHeard) return
      const message = `The Docker runner has not reached this server at ${container.server} for ${contactMs / 1000} seconds. Check whether a firewall blocks containers; allow this port (set it with --docker-port)`
      become('failing', message)
      say(message)
    }, contactMs)
    try {
      return await outlive(id, mountedSocket)
    } finally {
      clearTimeout(timer)
    }
  }

  async function work(): Promise<void> {
    for (failures = 0; !signal.aborted; failures++) {
      const startedAt = performance.now()
      const reason = await runOnce().catch((error: unknown) => {
        if (isGone(error)) failures = -1
        return explainSocket(error, docker.socket)
      })
      if (signal.aborted) return
      become('failing', reason)
      await onEnd(reason).catch((error: unknown) => say(`Its stages could not be ended: ${String(error)}`))
      if (failures < 0 || (isHeard && performance.now() - startedAt > wellMs)) failures = 0
      const ms = Math.min(maxPauseMs, pauseMs * 2 ** Math.min(failures, 10))
      say(`${reason}. Trying again in ${Math.ceil(ms / 1000)} s; until then, pipelines of type docker wait`)
      await pauseBesideDocker(ms)
    }
  }
  const working = work()

  return {
    noteCall() {
      lastHeard = performance.now()
      if (isHeard || signal.aborted) return
      isHeard = true
      become('working')
      say(
        `the Docker runner ${container.name} is running (${image}, with a capacity of ${container.settings.capacity})`,
      )
    },
    state: () => current,
    async stop() {
      life.abort()
      // It may ask something just now, of a Docker that hangs.
      const timeout = new AbortController()
      await Promise.race([working, delay(stopMs, undefined, { signal: timeout.signal }).catch(() => {})])
      timeout.abort()
    },
  }
}
