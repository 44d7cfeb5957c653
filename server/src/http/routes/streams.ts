/** The event streams (docs/api §2.6, §4). */
import { routePath } from 'hono/route'
import type { Call, Handler, HttpDependencies } from '../context.ts'
import { createAudiences } from '../events/audiences.ts'
import { createBroadcaster, type Audience } from '../events/broadcaster.ts'
import { endOfStream, eventStream, lineFrames } from '../event-stream.ts'
import { mayRead } from '../repo-readers.ts'
import { stepOf } from '../step-params.ts'
import { yieldForBulk } from '../../lib/event-loop.ts'
import { frameOf, streamResponse } from '../../lib/stream-connection.ts'
import { endWhenRefused } from '../stream-rights.ts'

/** The same event goes to many readers, so its bytes are encoded once. */
function cachedBy<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const frames = new WeakMap<K, V>()
  return (key) => {
    const frame = frames.get(key) ?? make(key)
    frames.set(key, frame)
    return frame
  }
}
const endFrame = frameOf(endOfStream)
const batchFrames = cachedBy((rows: Uint8Array) => frameOf(lineFrames(rows)))

/**
 * How long equal requests get the same response while no permission changes. It is short because
 * sessions expire.
 */
const repeatableSeconds = 5

export function streamsRoutes({ store: { db, rights }, ci, pingMs, now, log, figures }: Required<HttpDependencies>) {
  const failed = (error: unknown) => log('an event stream failed', error)
  const broadcaster = createBroadcaster({
    events: ci.events,
    rights,
    pingMs,
    failed,
    missed: (what) => figures.observeMissed(what),
  })
  const audiences = createAudiences(db, rights, now)

  /** Cuts the stream when the client loses access: its next request returns the reason. */
  function follow(c: Call, audience: Audience, wantsRecent: boolean): Response {
    const judged = c.get('judged')
    const until = now() + repeatableSeconds
    const route = routePath(c)
    const repeat = () => {
      if (judged !== rights.version() || now() >= until) return false
      figures.observe({ method: 'GET', route, status: 200, seconds: 0 })
      return true
    }
    return streamResponse(
      c.env,
      (connection) => broadcaster.join(connection, audience, { judged, wantsRecent }),
      repeat,
    )
  }

  return {
    // Pages read their lists first. Programs, which send a header that an `EventSource` cannot, get
    // the events that Drone would send.
    'GET /api/stream': async (c) => follow(c, await audiences.ofAll(c), c.req.header('authorization') === undefined),
    'GET /api/stream/:owner/:name': async (c) => follow(c, await audiences.ofRepo(c), false),
    'GET /api/stream/:owner/:name/:number/:stage/:step': async (c) => {
      const step = await stepOf(db, c)
      const may = mayRead(db, rights, now, c)
      const judged = c.get('judged')
      return eventStream(
        c.env,
        pingMs,
        async (sink, closeSignal) => {
          endWhenRefused(rights, { may, judged, closeSignal, end: sink.end, failed })
          for await (const rows of ci.logs.follow(step.id, closeSignal) ?? []) {
            // Cut, not ended: a client that reconnects gets the reason.
            const version = rights.version()
            if (!(await may())) return
            await yieldForBulk(rows.length)
            if (version !== rights.version() && !(await may())) return
            sink.write(batchFrames(rows))
            // A slow reader waits here, alone: what it has not got yet is in the file.
            await sink.ready()
          }
          sink.write(endFrame)
        },
        failed,
      )
    },
  } satisfies Record<string, Handler>
}
