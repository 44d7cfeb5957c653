import { useEffect, useState, useSyncExternalStore } from 'react'

import type { StepAddress } from '../step-address.ts'
import { LogStore, type LogMode, type LogSnapshot } from './log-store.ts'

export interface Log extends LogSnapshot {
  store: LogStore
}

/** The log of a step, for a component that is made anew for each step (`key`). */
export const useLog = (address: StepAddress, mode: LogMode): Log => {
  const [store] = useState(() => new LogStore(address))
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot)
  useEffect(() => store.setMode(mode), [store, mode])
  useEffect(() => () => store.stop(), [store])
  // The region's boundary says so, with the way out.
  if (snapshot.broken) throw snapshot.broken
  return { ...snapshot, store }
}
