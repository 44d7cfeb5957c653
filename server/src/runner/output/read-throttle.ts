/** Limits how often and how fast output is read, so that no step can saturate the server's thread. */
import { setTimeout as delay } from 'node:timers/promises'

/** A read of fewer bytes costs as much as one of a whole pipe (64 KiB). */
const smallBytes = 16 * 1024
/** So many small reads in a row are free: most steps print a few lines. */
const freeReads = 16
/** After those, the minimum time per small read. Output that arrives meanwhile is read with the next one. */
const smallReadMs = 5

/** Waits after a small read if there were many a moment ago. */
export function createReadPace(now: () => number = performance.now.bind(performance)) {
  let left = freeReads
  let last = now()
  return async (bytes: number): Promise<void> => {
    const time = now()
    left = Math.min(freeReads, left + (time - last) / smallReadMs)
    last = time
    if (bytes >= smallBytes) return
    if (left >= 1) left -= 1
    else await delay(smallReadMs)
  }
}

/** What is thrown away costs only its reading: about 1 % of a processor for 10 MB a second. */
const discardedBytesPerMs = 64 * 1024
/** So much is read before the first wait. */
const burstBytes = 1024 * 1024

/** The rate of what is printed into full logs, by all steps together. */
export function createDiscardPace(now: () => number = performance.now.bind(performance)) {
  /** Until then the rate is used up. */
  let usedUntil = -Infinity
  return async (bytes: number): Promise<void> => {
    const time = now()
    usedUntil = Math.max(usedUntil, time) + bytes / discardedBytesPerMs
    if (usedUntil - time > burstBytes / discardedBytesPerMs) await delay(usedUntil - time)
  }
}
