/** Whether a stream's subscriber may keep reading. */
import type { Repo, User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import { createBulkQueue } from '../lib/event-loop.ts'
import type { Db } from '../store/open.ts'
import type { RightsWatch } from '../store/rights.ts'
import { authenticate } from './authenticate.ts'
import { repoOf, type Call } from './context.ts'
import { requireRepo } from './guards.ts'
import { remembered } from './stream-rights.ts'

/**
 * A user who signs out, or is signed out, does not become a guest: their streams end, even if
 * guests can see the same. A guest stays a guest, even if an invalid credential becomes valid: all
 * guests share one view.
 */
export function personOf(db: Db, c: Call, now: () => number): () => Promise<{ user: User | null; canStay: boolean }> {
  const isGuest = c.get('user') === null
  return async () => {
    const user = isGuest ? null : (await authenticate(db, c, now())).user
    return { user, canStay: isGuest || user !== null }
  }
}

/** What a part of a saved log has at most. */
const partBytes = 32 * 1024

/**
 * Thousands may request it at the same time, and each part takes time on this thread. Decompression
 * uses another thread: two at a time leave a core for other calls on small machines.
 */
const reading = createBulkQueue(2)

/**
 * `body`, which its reader takes at any pace: it breaks off once `may` says no. An end would look
 * like all of it. Nothing is asked while no right changes.
 */
export function whilePermitted(
  body: ReadableStream<Uint8Array>,
  rights: RightsWatch,
  may: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let version = rights.version()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (version !== rights.version()) {
          version = rights.version()
          if (!(await may())) {
            await reader.cancel()
            controller.error(new Error('the viewer may no longer read it'))
            return
          }
        }
        const { done, value } = await reading.run(partBytes, () => reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reading.run(partBytes, () => reader.cancel(reason)),
    },
    { highWaterMark: 0 },
  )
}

/**
 * For the events and logs of one repository. `then`: its visibility when the event happened, if it
 * is about an event.
 */
export function mayRead(
  db: Db,
  rights: RightsWatch,
  now: () => number,
  c: Call,
): (then?: Repo['visibility']) => Promise<boolean> {
  const { slug } = repoOf(c)
  const person = personOf(db, c, now)
  const check = async (then: Repo['visibility'] | undefined) => {
    try {
      const { user, canStay } = await person()
      await requireRepo(db, user, slug, 'read', { visibilityThen: then })
      return canStay
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
  const answer = remembered(rights, now, check, (then) => then ?? 'now')
  return (then) => answer(then)
}
