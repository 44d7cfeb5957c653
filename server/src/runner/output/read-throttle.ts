/**
 * Limits how often and how fast output is read, so that no step can saturate the server's thread.
 */
import { setTimeout as delay } from 'node:timers/promises'

/** A read of fewer bytes costs as much as a read of a whole pipe (64 KiB). */
const smallBytes = 16 * 1024
/** This many small reads in a row are not delayed, since most steps print only a few lines. */
const freeReads = 16
/**
 * After those, the minimum time per small read. Output that arrives in this time is read with the
 * next one.
 */
const smallReadMs = 5

/** Delays small reads that follow many others. */
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

/** Output that is discarded costs only its reading: about 1 % of a processor for 10 MB a second. */
const discardedBytesPerMs = 64 * 1024
/** The number of bytes that are read before the first delay. */
const burstBytes = 1024 * 1024

/** Limits the rate at which output for full logs is read, for all steps together. */
export function createDiscardPace(now: () => number = performance.now.bind(performance)) {
  /** The rate is used up until this time. */
  let usedUntil = -Infinity
  return async (bytes: number): Promise<void> => {
    const time = now()
    usedUntil = Math.max(usedUntil, time) + bytes / discardedBytesPerMs
    if (usedUntil - time > burstBytes / discardedBytesPerMs) await delay(usedUntil - time)
  }
}
