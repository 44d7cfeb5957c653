/** The event streams (docs/api §2.6, §4). */
import type { Line } from '@flightdeck/api'
import type { BuildEventMessage } from '../../interfaces/events.ts'
import { encode } from '../answers.ts'
import { repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { buildFrame, endOfStream, eventStream, lineFrames, visiblePing } from '../event-stream.ts'
import { maySeeEvents } from '../guards.ts'
import { createOutbox } from '../outbox.ts'
import { mayRead, personOf } from '../repo-readers.ts'
import { stepOf } from '../steps.ts'
import { takeTurn } from '../../turns.ts'
import { remembered, untilRefused } from '../stream-rights.ts'

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

export function streamsRoutes({ store: { db, rights }, ci, pingMs, now, log }: Required<HttpDependencies>) {
  const failed = (error: unknown) => log('an event stream broke', error)

  /** For the events of all repositories. */
  function maySee(c: Call) {
    const person = personOf(db, c, now)
    const look = async (message: BuildEventMessage) => {
      const { user, stays } = await person()
      return stays && maySeeEvents(db, user, message.repoId)
    }
    const may = remembered(rights, now, look, ({ repoId }) => repoId)
    return { may, stays: async () => (await person()).stays }
  }

  /**
   * Ends, without a word, when `stays` says no: who comes again is told why. So does a question about rights that fails: its
   * reader comes again, and has missed nothing without knowing.
   */
  function builds(
    may: (message: BuildEventMessage) => Promise<boolean>,
    stays: () => Promise<boolean>,
    missed = false,
  ): Response {
    return eventStream(
      pingMs,
      async (sink, signal) => {
        const refused = untilRefused(rights, stays, signal, failed)
        const box = createOutbox(ci.events, sink, refused, { missed })
        const pump = async () => {
          for await (const message of box.messages) {
            const version = rights.version()
            const frame = (await may(message)) ? eventFrame(message) : null
            // A large event for hundreds of readers is as much work as a large answer for each.
            await takeTurn(frame?.length)
            // So it may be some turns until it goes.
            const isHis = version === rights.version() || (await may(message))
            sink.write(isHis && !refused.aborted ? frame : null)
            // A slow reader waits here, alone: of what changes meanwhile he gets the latest state.
            await sink.ready()
          }
        }
        await new Promise<void>((resolve, reject) => {
          // Also while he lets us wait.
          refused.addEventListener('abort', () => resolve(), { once: true })
          pump().then(resolve, reject)
        }).finally(() => box.leave())
      },
      failed,
      visiblePing,
    )
  }

  return {
    'GET /api/stream': (c) => {
      const { may, stays } = maySee(c)
      // Pages read their lists first. Programs, which send a header that an `EventSource` cannot, hear what Drone's would tell them.
      return builds(may, stays, c.req.header('authorization') === undefined)
    },
    'GET /api/stream/:owner/:name': (c) => {
      const { id } = repoOf(c)
      const may = mayRead(db, rights, now, c)
      return builds(async (message) => message.repoId === id && may(), may)
    },
    'GET /api/stream/:owner/:name/:number/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      const may = mayRead(db, rights, now, c)
      return eventStream(
        pingMs,
        async (sink, signal) => {
          const refused = untilRefused(rights, may, signal, failed)
          for await (const lines of ci.logs.follow(step.id, refused) ?? []) {
            // Cut, not ended: who comes again is told why.
            const version = rights.version()
            if (!(await may())) return
            const frames = batchFrames(lines)
            await takeTurn(frames.length)
            if (version !== rights.version() && !(await may())) return
            sink.write(frames)
            // A slow reader waits here, alone: what he has not got yet is in the file.
            await sink.ready()
          }
          if (!refused.aborted) sink.write(endOfStream)
        },
        failed,
      )
    },
  } satisfies Record<string, Handler>
}
