/** What somebody may see changes while his streams are open (issue 11, point 12). */
import type { RightsWatch } from '../store/rights.ts'

/** How long an answer is good for without any change: a session may end by itself. */
const goodSeconds = 5

/** One look per key until rights change, so that a busy build costs no query per event and reader. */
export function remembered<A>(
  rights: RightsWatch,
  now: () => number,
  look: (about: A) => Promise<boolean>,
  keyOf: (about: A) => number,
) {
  const known = new Map<number, { may: boolean; until: number; version: number }>()
  return async (about: A): Promise<boolean> => {
    const answer = known.get(keyOf(about))
    if (answer && answer.until > now() && answer.version === rights.version()) return answer.may
    // As it was before the look: a change during it makes the answer an old one.
    const version = rights.version()
    const may = await look(about)
    known.set(keyOf(about), { may, until: now() + goodSeconds, version })
    return may
  }
}

/**
 * Aborts as soon as `may` says no after a change of rights, and with `signal`. Where the answer cannot be had the reader goes,
 * too: who comes again is told why.
 */
export function untilRefused(
  rights: RightsWatch,
  may: () => Promise<boolean>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): AbortSignal {
  const refused = new AbortController()
  let asking = false
  let again = false
  const ask = async () => {
    again = true
    if (asking) return
    asking = true
    try {
      while (again && !refused.signal.aborted) {
        again = false
        if (!(await may())) refused.abort()
      }
    } catch (error) {
      failed(error)
      refused.abort()
    } finally {
      asking = false
    }
  }
  const leave = rights.onLoss(() => void ask())
  const gone = () => refused.abort()
  signal.addEventListener('abort', gone, { once: true })
  refused.signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) gone()
  // Something may have changed between the look at the door and now.
  void ask()
  return refused.signal
}
