import { createStore, type Store } from '../../../browser/store.ts'
import { burstLines } from '../engine/protocol.ts'
import type { LogSnapshot } from './log-snapshot.ts'
import type { LogStore } from './log-store.ts'

const calmMs = 400
/** More than `burstLines` within this time are a burst: about 120 lines a second. */
const countedMs = 500

/** Whether lines arrive faster than a person can read; ends after a pause. */
export const burstOf = (
  log: Pick<LogStore, 'subscribe' | 'getSnapshot' | 'mode'>,
  now = () => performance.now(),
): Store<boolean> => {
  const inBurst = createStore(false)
  let before = 0
  let counted = { since: -Infinity, lines: 0 }
  let calming: ReturnType<typeof setTimeout> | undefined
  log.subscribe(() => {
    const { phase, stats } = log.getSnapshot()
    const grown = stats.lines - before
    if (grown === 0) return
    const growing = log.mode === 'live' || phase === 'loading'
    // Lines printed before a live log is opened don't count as a burst. A saved log renders at its
    // end first.
    const counts = growing && (before > 0 || log.mode === 'saved')
    before = stats.lines
    if (now() - counted.since > countedMs) counted = { since: now(), lines: 0 }
    if (counts) counted.lines += grown
    const isBurst = counts && counted.lines > burstLines
    clearTimeout(calming)
    calming = setTimeout(() => inBurst.set(false), calmMs)
    if (isBurst) inBurst.set(true)
  })
  return inBurst
}

/** During a burst, the minimum interval between renders around the lines, in milliseconds. */
const aroundMs = 250

/** Whether the only difference is that there are more lines, as before. */
const hasOnlyGrown = (before: LogSnapshot, next: LogSnapshot): boolean => {
  const [{ stats: was, ...rest }, { stats: is, ...others }] = [before, next]
  return (
    was.lines > 0 &&
    was.version === is.version &&
    was.groups > 0 === is.groups > 0 &&
    was.session === is.session &&
    was.cut === is.cut &&
    was.first === is.first &&
    was.missing === is.missing &&
    rest.phase === others.phase &&
    rest.error === others.error &&
    rest.live === others.live &&
    rest.search === others.search &&
    rest.broken === others.broken
  )
}

/**
 * The state that the console shows around the lines. Lines in a burst render many times a second;
 * their count and the tools, which are as expensive, need not.
 */
export const burstEndOf = (
  log: Pick<LogStore, 'subscribe' | 'getSnapshot'>,
  inBurst: Pick<Store<boolean>, 'get' | 'subscribe'>,
  now = () => performance.now(),
): Store<LogSnapshot> => {
  const shownState = createStore(log.getSnapshot())
  let shownAt = -Infinity
  const update = (): void => {
    const next = log.getSnapshot()
    if (inBurst.get() && now() - shownAt < aroundMs && hasOnlyGrown(shownState.get(), next)) return
    shownAt = now()
    shownState.set(next)
  }
  log.subscribe(update)
  // Skipped updates are not lost, because each burst has an end.
  inBurst.subscribe(update)
  return shownState
}
