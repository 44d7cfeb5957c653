import { useSyncExternalStore } from 'react'

import { nowSeconds, onTimeSet } from '../lib/time.ts'

/** One timer for all times on the page; it runs only while there are subscribers. */
const createClock = (period: number) => {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let now = nowSeconds()
  const tick = () => {
    now = nowSeconds()
    for (const listener of listeners) listener()
  }
  onTimeSet(tick)
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      if (timer === undefined) {
        // The first subscriber may have been rendered a while ago.
        now = nowSeconds()
        timer = setInterval(tick, period)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    get: () => {
      if (timer === undefined) now = nowSeconds()
      return now
    },
  }
}

const seconds = createClock(1_000)
const minutes = createClock(30_000)
const still = { subscribe: () => () => undefined, get: () => 0 }

/**
 * The current time in Unix seconds. `second` updates every second, `minute` twice a minute; `never`
 * costs nothing and returns 0.
 */
export const useNow = (period: 'second' | 'minute' | 'never'): number => {
  const clock = { second: seconds, minute: minutes, never: still }[period]
  return useSyncExternalStore(clock.subscribe, clock.get, clock.get)
}
