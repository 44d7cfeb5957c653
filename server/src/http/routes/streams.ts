/** The event streams (wire.md §2.6, §4). */
import type { Line, User } from '@flightdeck/api'
import type { BuildEventMessage } from '../../ci/types.ts'
import { findUser } from '../../store/users.ts'
import { encode } from '../answers.ts'
import { repoOf, type Handler, type HttpDependencies } from '../context.ts'
import { buildFrame, endOfStream, eventStream, lineFrames } from '../event-stream.ts'
import { maySeeEvents } from '../guards.ts'
import { stepOf } from '../steps.ts'

/** How long an answer to "may he see it" is good for: a right that is taken away ends within this time. */
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

  /** One look per repository and five seconds, so that a busy build costs no query per event and reader. */
  function rightsOf(user: User | null): (message: BuildEventMessage) => Promise<boolean> {
    const known = new Map<number, { may: boolean; until: number }>()
    return async (message) => {
      const answer = known.get(message.repoId)
      if (answer && answer.until > now()) return answer.may
      const present = user && (await findUser(db, user.id))
      const may = (user === null || present !== null) && (await maySeeEvents(db, present, message))
      known.set(message.repoId, { may, until: now() + rightsSeconds })
      return may
    }
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
    'GET /api/stream': (c) => builds(rightsOf(c.get('user'))),
    'GET /api/stream/:owner/:name': (c) => {
      const { id } = repoOf(c)
      return builds(async (message) => message.repoId === id)
    },
    'GET /api/stream/:owner/:name/:number/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      return eventStream(
        pingMs,
        async (sink, signal) => {
          for await (const lines of ci.logs.follow(step.id, signal) ?? []) {
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
