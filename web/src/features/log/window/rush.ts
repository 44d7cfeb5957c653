import { createStore, type Store } from '../../../browser/store.ts'
import type { LogStore } from '../source/log-store.ts'

/** So many new lines at once count as a rush. */
const rush = 60
const calmMs = 400

/** Whether lines come in faster than anybody reads them; it ends when fewer have come for a while. */
export const rushOf = (log: Pick<LogStore, 'subscribe' | 'getSnapshot' | 'mode'>): Store<boolean> => {
  const rushing = createStore(false)
  let before = 0
  let calming: ReturnType<typeof setTimeout> | undefined
  log.subscribe(() => {
    const { phase, stats } = log.getSnapshot()
    const grown = stats.lines - before
    if (grown === 0) return
    const growing = log.mode === 'live' || phase === 'loading'
    // The first batch is what was printed so far, no rush.
    const rushed = growing && before > 0 && grown > rush
    before = stats.lines
    clearTimeout(calming)
    calming = setTimeout(() => rushing.set(false), calmMs)
    if (rushed) rushing.set(true)
  })
  return rushing
}
