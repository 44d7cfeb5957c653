/** The event streams (wire.md §2.6, §4). */
import type { Line } from '@flightdeck/api'
import type { BuildEventMessage } from '../../ci/types.ts'
import { encode } from '../answers.ts'
import { authenticate } from '../authenticate.ts'
import { repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { HttpError } from '../errors.ts'
import { buildFrame, endOfStream, eventStream, lineFrames } from '../event-stream.ts'
import { enterRepo, maySeeEvents } from '../guards.ts'
import { stepOf } from '../steps.ts'

/**
 * How long an answer to "may he see it" is good for: a right that is taken away, a session that is ended, a token that is
 * replaced ends the stream within this time.
 */
const rightsSeconds = 5

/** The same event goes to many readers: its bytes are made once. */
function cachedBy<K extends object>(make: (key: K) => Uint8Array): (key: K) => Uint8Array {
  const known = new WeakMap<K, Uint8Array>()
  return (key) => {
    const frame = known.get(key) ?? make(key)
    known.set(key, frame)
    return frame
  }
}
const eventFrame = cachedBy((message: BuildEventMessage) => buildFrame(message.json))
const batchFrames = cachedBy((lines: readonly Line[]) => lineFrames(lines.map(encode)))

export function streamsRoutes({ store: { db }, ci, pingMs, now, log }: Required<HttpDependencies>) {
  const failed = (error: unknown) => log('an event stream broke', error)

  /** One look per key and five seconds, so that a busy build costs no query per event and reader. */
  function remembered<A>(look: (about: A) => Promise<boolean>, keyOf: (about: A) => number) {
    const known = new Map<number, { may: boolean; until: number }>()
    return async (about: A): Promise<boolean> => {
      const answer = known.get(keyOf(about))
      if (answer && answer.until > now()) return answer.may
      const may = await look(about)
      known.set(keyOf(about), { may, until: now() + rightsSeconds })
      return may
    }
  }

  /** For the events of all repositories. Who has signed out is no guest: his page is told by its next call. */
  function maySee(c: Call): (message: BuildEventMessage) => Promise<boolean> {
    const wasGuest = c.get('user') === null
    const look = async (message: BuildEventMessage) => {
      const user = await authenticate(db, c, now())
      return (wasGuest || user !== null) && maySeeEvents(db, user, message)
    }
    return remembered(look, ({ repoId }) => repoId)
  }

  /** For the events and logs of one repository. */
  function mayRead(c: Call): () => Promise<boolean> {
    const { slug } = repoOf(c)
    const look = async () => {
      try {
        await enterRepo(db, await authenticate(db, c, now()), slug, 'read')
        return true
      } catch (error) {
        if (error instanceof HttpError) return false
        throw error
      }
    }
    const answer = remembered(look, () => 0)
    return () => answer(undefined)
  }

  function builds(may: (message: BuildEventMessage) => Promise<boolean>): Response {
    return eventStream(
      pingMs,
      async (sink, signal) => {
        // In the order of the bus, although a question about rights may take a moment.
        let order = Promise.resolve()
        const leave = ci.events.subscribe((message) => {
          sink.reserve()
          order = order.then(async () => {
            sink.write(!signal.aborted && (await may(message)) ? eventFrame(message) : null)
          }, failed)
        })
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        leave()
      },
      failed,
    )
  }

  return {
    'GET /api/stream': (c) => builds(maySee(c)),
    'GET /api/stream/:owner/:name': (c) => {
      const { id } = repoOf(c)
      const may = mayRead(c)
      return builds(async (message) => message.repoId === id && may())
    },
    'GET /api/stream/:owner/:name/:number/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      const may = mayRead(c)
      return eventStream(
        pingMs,
        async (sink, signal) => {
          for await (const lines of ci.logs.follow(step.id, signal) ?? []) {
            // Cut, not ended: who comes again is told why.
            if (!(await may())) return
            sink.write(batchFrames(lines))
            // A slow reader waits here, alone: what he has not got yet is in the file.
            await sink.ready()
          }
          sink.write(endOfStream)
        },
        failed,
      )
    },
  } satisfies Record<string, Handler>
}
