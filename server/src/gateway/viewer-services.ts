/** The gateway's services for viewers: their streams, polling, and shared responses. */
import { createResponseCache, type ResponseCache, type ResponseCacheOptions } from './response-cache.ts'
import { requestAs, UpstreamUnavailable, type Person } from './viewer-request.ts'
import { ofShared, type ServerToken } from './server-token.ts'
import { createStreams, type Streams } from './streams.ts'
import type { Upstream } from './upstream.ts'
import { createWatch, type Watch, type WatchTimes } from './poller.ts'

export interface ViewerServices {
  watch: Watch
  streams: Streams
  answers: ResponseCache
  /** The server has refused something to this person: are the credentials still good? */
  doubt(person: Person): Promise<void>
  stop(): void
}

export interface ViewerServicesOptions {
  times?: WatchTimes | undefined
  /** Milliseconds until which a stream is as good as a new one. */
  reuseMs?: number
  /** Milliseconds for which answers are used again. */
  maxAgesMs?: ResponseCacheOptions['maxAgesMs']
  /** One token for all: people have its rights, not those of its owner. */
  serverToken?: Pick<ServerToken, 'allowWrites'> | null
}

export function createViewerServices(
  upstream: Upstream,
  { times, maxAgesMs, reuseMs = 5_000, serverToken = null }: ViewerServicesOptions = {},
): ViewerServices {
  const doubted = new Set<string>()
  const putOut = ({ key }: Person) => {
    answers.discard(key)
    streams.putOut(key)
  }
  const watch = createWatch(upstream, { ...(times && { times }), onRefused: putOut })
  const streams = createStreams(upstream, {
    reuseMs,
    overlap: 1_000,
    // Pages wait for 65 s. Drone sends something at least every 30 s to people who may see
    // everything.
    ping: 25_000,
    silent: 65_000,
    onOpen: (person, send) => watch.join(person, send),
    onEvent: (person, json) => watch.noteEvent(person, json),
  })
  const answers = createResponseCache(upstream, {
    proof: (key) => streams.proof(key),
    reads: (person, pathname) => watch.reads(person, pathname),
    ...(maxAgesMs && { maxAgesMs }),
    ...(serverToken && { change: ofShared(serverToken) }),
  })
  return {
    watch,
    streams,
    answers,
    async doubt(person) {
      answers.discard(person.key)
      if (streams.proof(person.key) === null || doubted.has(person.key)) return
      doubted.add(person.key)
      try {
        await requestAs(upstream, person, '/api/user')
      } catch (error) {
        if (error instanceof UpstreamUnavailable && error.status === 401) putOut(person)
      } finally {
        doubted.delete(person.key)
      }
    },
    stop() {
      watch.stop()
      streams.stop()
    },
  }
}
