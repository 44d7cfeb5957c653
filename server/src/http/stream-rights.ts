/** Rights change while streams are open. */
import type { RightsWatch } from '../store/rights.ts'

/** How long an answer is cached without a change of rights: a session can expire. */
const goodSeconds = 5

let lastLook: Promise<unknown> = Promise.resolve()

/**
 * Serialized in the whole process. The database is first come, first served: the checks of a
 * thousand subscribers of one event would all come before every other query.
 */
function inLine<T>(check: () => Promise<T>): Promise<T> {
  const looked = lastLook.then(check)
  lastLook = looked.catch(() => {})
  return looked
}

/**
 * One check per key until rights change, so that a busy build costs no query per event and
 * subscriber.
 */
export function remembered<A>(
  rights: RightsWatch,
  now: () => number,
  check: (about: A) => Promise<boolean>,
  keyOf: (about: A) => string | number,
) {
  const cache = new Map<string | number, { may: boolean; until: number; version: number }>()
  const looking = new Map<string | number, { may: Promise<boolean>; version: number }>()
  return async (about: A): Promise<boolean> => {
    const key = keyOf(about)
    const answer = cache.get(key)
    // Before the check: a change during it makes the result stale.
    const version = rights.version()
    if (answer && answer.until > now() && answer.version === version) return answer.may
    const others = looking.get(key)
    if (others?.version === version) return others.may
    const may = inLine(() => check(about))
    const current = { may, version }
    looking.set(key, current)
    try {
      cache.set(key, { may: await may, until: now() + goodSeconds, version })
      return await may
    } finally {
      if (looking.get(key) === current) looking.delete(key)
    }
  }
}

export interface Reader {
  /** Whether the reader still may. */
  may: () => Promise<boolean>
  /**
   * The `rights.version()` of the last check; without it the permissions are checked immediately.
   */
  judged: number | undefined
  /** The client has disconnected, or was disconnected. */
  closeSignal: AbortSignal
  /** Ends the stream. */
  end: () => void
  failed: (error: unknown) => void
}

/**
 * Ends the stream as soon as `may` returns false after a change of rights, and also if the check
 * fails: a client that reconnects gets the reason. Returns a function that repeats the check.
 */
export function endWhenRefused(rights: RightsWatch, { may, judged, closeSignal, end, failed }: Reader): () => void {
  if (closeSignal.aborted) return () => {}
  let asking = false
  let again = false
  const recheck = async () => {
    again = true
    if (asking) return
    asking = true
    try {
      while (again && !closeSignal.aborted) {
        again = false
        if (!(await may())) end()
      }
    } catch (error) {
      failed(error)
      end()
    } finally {
      asking = false
    }
  }
  const leave = rights.onLoss(() => void recheck())
  closeSignal.addEventListener('abort', leave, { once: true })
  // Rights may have changed since the request was authorized.
  if (judged !== rights.version()) void recheck()
  return () => void recheck()
}
