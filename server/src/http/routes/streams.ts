/** The event streams (docs/api §2.6, §4). */
import type { BuildEventMessage } from '../../interfaces/events.ts'
import { repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { buildFrame, endOfStream, eventStream, lineFrames, visiblePing } from '../event-stream.ts'
import { maySeeEvent } from '../guards.ts'
import { createOutbox } from '../outbox.ts'
import { mayRead, personOf } from '../repo-readers.ts'
import { stepOf } from '../step-params.ts'
import { yieldForBulk } from '../../lib/event-loop.ts'
import { endWhenRefused, remembered } from '../stream-rights.ts'

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
const batchFrames = cachedBy(lineFrames)

/** Events with the same answer to "who may see it". */
const keyOf = ({ repoId, visibility }: BuildEventMessage) => `${repoId} ${visibility}`

export function streamsRoutes({ store: { db, rights }, ci, pingMs, now, log }: Required<HttpDependencies>) {
  const failed = (error: unknown) => log('an event stream broke', error)

  const guestsSee = remembered(rights, now, (message: BuildEventMessage) => maySeeEvent(db, null, message), keyOf)

  /** For the events of all repositories. */
  function rightToAll(c: Call) {
    const person = personOf(db, c, now)
    const stay = async () => (await person()).stays
    // All guests see the same, and anybody may be a thousand of them.
    if (!c.get('user')) return { see: guestsSee, stay }
    const look = async (message: BuildEventMessage) => {
      const { user, stays } = await person()
      return stays && maySeeEvent(db, user, message)
    }
    return { see: remembered(rights, now, look, keyOf), stay }
  }

  /**
   * Ends, without a word, when the reader may not stay: the next request says why. So does a question about rights that fails: its
   * reader comes again, and has missed nothing without knowing.
   */
  function builds(
    c: Call,
    rightTo: { see: (message: BuildEventMessage) => Promise<boolean>; stay: () => Promise<boolean> },
    missed = false,
  ): Response {
    const judged = c.get('judged')
    return eventStream(
      pingMs,
      async (sink, gone) => {
        endWhenRefused(rights, { may: rightTo.stay, judged, gone, end: sink.end, failed })
        const box = createOutbox(ci.events, sink, gone, { missed })
        try {
          for await (const message of box.messages) {
            const version = rights.version()
            const frame = (await rightTo.see(message)) ? eventFrame(message) : null
            // A large event for hundreds of readers is as much work as a large answer for each.
            await yieldForBulk(frame?.length ?? 0)
            // So it may be some turns until it goes.
            const isHis = version === rights.version() || (await rightTo.see(message))
            sink.write(isHis ? frame : null)
            // A slow reader waits here, alone: of what changes meanwhile it gets the latest state.
            await sink.ready()
          }
        } finally {
          box.leave()
        }
      },
      failed,
      visiblePing,
    )
  }

  return {
    'GET /api/stream': (c) => {
      // Pages read their lists first. Programs, which send a header that an `EventSource` cannot, hear what Drone's would tell them.
      return builds(c, rightToAll(c), c.req.header('authorization') === undefined)
    },
    'GET /api/stream/:owner/:name': (c) => {
      const { id } = repoOf(c)
      const may = mayRead(db, rights, now, c)
      return builds(c, { see: async (message) => message.repoId === id && may(message.visibility), stay: () => may() })
    },
    'GET /api/stream/:owner/:name/:number/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      const may = mayRead(db, rights, now, c)
      const judged = c.get('judged')
      return eventStream(
        pingMs,
        async (sink, gone) => {
          endWhenRefused(rights, { may, judged, gone, end: sink.end, failed })
          for await (const rows of ci.logs.follow(step.id, gone) ?? []) {
            // Cut, not ended: who comes again is told why.
            const version = rights.version()
            if (!(await may())) return
            await yieldForBulk(rows.length)
            if (version !== rights.version() && !(await may())) return
            sink.write(batchFrames(rows))
            // A slow reader waits here, alone: what it has not got yet is in the file.
            await sink.ready()
          }
          sink.write(endOfStream)
        },
        failed,
      )
    },
  } satisfies Record<string, Handler>
}
