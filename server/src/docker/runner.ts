/** Keeps one runner alive in Docker: fetches, starts, watches and starts again, and says what is wrong meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import type { KnownDocker } from './api.ts'
import { ended, isRunning, lastWords, startContainer, type RunnerPlace } from './container.ts'
import { fetchImage, hasImage } from './image.ts'
import { removeContainers } from './leftovers.ts'
import { explainImage, explainSocket, isGone } from './words.ts'

export interface KeepOptions {
  docker: KnownDocker
  place: RunnerPlace
  say: (words: string) => void
  /** It has ended: whatever it was at has nobody who works on it any more. */
  onEnd: (words: string) => Promise<void>
  /** Milliseconds: the first pause before it is started again, and when somebody should have been heard from it. */
  pauseMs?: number
  contactMs?: number
}

export interface KeptRunner {
  /** It has called. */
  heard(): void
  /** No more containers; those that are there are somebody else's to remove. */
  stop(): Promise<void>
}

const longestPause = 60_000
/** So long a server waits for Docker when it ends; what is left is the next one's. */
export const stopMs = 10_000
/** Whoever lived for so long after he was heard was well: the next pause is the first one again. */
const wellMs = 60_000

export function keepRunner(options: KeepOptions): KeptRunner {
  const { docker, place, say, onEnd, pauseMs = 1_000, contactMs = 20_000 } = options
  const { image } = place.settings
  const life = new AbortController()
  const { signal } = life
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {})
  let isHeard = false

  async function bring(): Promise<void> {
    if (await hasImage(docker, image)) return
    await fetchImage(docker, { image, say, signal }).catch((error: unknown) => {
      throw isGone(error) || signal.aborted ? error : new Error(explainImage(error, image))
    })
  }

  /** Resolves with why it ended. */
  async function outlive(id: string): Promise<string> {
    for (;;) {
      try {
        const code = await ended(docker, id, signal)
        const words = isHeard ? '' : await lastWords(docker, id).catch(() => '')
        const said = words.replaceAll(place.secret, '******')
        return `The Docker runner ended with exit code ${code}${isHeard ? '' : ' before it asked for work'}${said ? `: ${said}` : ''}`
      } catch (error) {
        if (!isGone(error) || signal.aborted) throw error
        say(`${explainSocket(error, docker.socket)}; waiting for it`)
        await untilBack()
        if (!(await isRunning(docker, id))) return 'The Docker runner ended with Docker'
      }
    }
  }
  async function untilBack(): Promise<void> {
    while (!signal.aborted) {
      const isBack = await docker.ask('/version', { signal }).then(
        () => true,
        () => false,
      )
      if (isBack) return
      await pause(pauseMs)
    }
  }

  async function runOnce(): Promise<string> {
    await bring()
    await removeContainers(docker, place.tag)
    signal.throwIfAborted()
    isHeard = false
    const id = await startContainer(docker, place)
    const timer = setTimeout(() => {
      if (isHeard) return
      say(
        `The Docker runner has not reached this server at ${place.server} for ${contactMs / 1000} seconds. Does a firewall keep containers from this machine? Let them in at this port (--docker-port sets it)`,
      )
    }, contactMs)
    try {
      return await outlive(id)
    } finally {
      clearTimeout(timer)
    }
  }

  async function work(): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      const began = performance.now()
      const why = await runOnce().catch((error: unknown) => explainSocket(error, docker.socket))
      if (signal.aborted) return
      await onEnd(why).catch((error: unknown) => say(`Its stages could not be ended: ${String(error)}`))
      if (isHeard && performance.now() - began > wellMs) failures = 0
      const ms = Math.min(longestPause, pauseMs * 2 ** Math.min(failures, 10))
      say(`${why}. Trying again in ${Math.ceil(ms / 1000)} s; pipelines of type docker wait meanwhile`)
      await pause(ms)
    }
  }
  const working = work()

  return {
    heard() {
      if (isHeard || signal.aborted) return
      isHeard = true
      say(`the Docker runner ${place.name} is at work (${image}, ${place.settings.capacity} stages at once)`)
    },
    async stop() {
      life.abort()
      // It may ask something just now, of a Docker that hangs.
      const late = new AbortController()
      await Promise.race([working, delay(stopMs, undefined, { signal: late.signal }).catch(() => {})])
      late.abort()
    },
  }
}
