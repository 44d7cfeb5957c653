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

export interface Reader {
  /** May he still? */
  may: () => Promise<boolean>
  /** What was asked last, as `rights.version()` then; without it he is asked for at once. */
  judged: number | undefined
  /** He has gone, or was sent away. */
  gone: AbortSignal
  /** Sends him away. */
  end: () => void
  failed: (error: unknown) => void
}

/**
 * Ends as soon as `may` says no after a change of rights. Where the answer cannot be had the reader goes, too: who comes again
 * is told why.
 */
export function endWhenRefused(rights: RightsWatch, { may, judged, gone, end, failed }: Reader): void {
  if (gone.aborted) return
  let asking = false
  let again = false
  const ask = async () => {
    again = true
    if (asking) return
    asking = true
    try {
      while (again && !gone.aborted) {
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
  const leave = rights.onLoss(() => void ask())
  gone.addEventListener('abort', leave, { once: true })
  // Something may have changed between the look at the door and now.
  if (judged !== rights.version()) void ask()
}
