import { useEffect, useState } from 'react'

import { useStore } from '../../../browser/store.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { LogMode, LogSnapshot } from './log-snapshot.ts'
import { LogStore } from './log-store.ts'
import { burstEndOf, burstOf } from './burst.ts'

/** The state rendered around the lines; during a burst the lines in the store are newer. */
export interface Log extends LogSnapshot {
  store: LogStore
  /** Lines arrive faster than anyone can read them. */
  inBurst: boolean
}

/** The log of a step, for a component that remounts for each step (`key`). */
export const useLog = (address: StepAddress, mode: LogMode): Log => {
  const [store] = useState(() => new LogStore(address))
  const [burst] = useState(() => burstOf(store))
  const [shownState] = useState(() => burstEndOf(store, burst))
  const inBurst = useStore(burst)
  const snapshot = useStore(shownState)
  useEffect(() => store.setMode(mode), [store, mode])
  useEffect(() => () => store.stop(), [store])
  // The region's error boundary shows the error and Retry.
  if (snapshot.broken) throw snapshot.broken
  return { ...snapshot, store, inBurst }
}
