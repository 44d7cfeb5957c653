import type { Step } from '@flightdeck/api'
import { useMemo } from 'react'

import type { LogStats } from '../engine/protocol.ts'
import { lineTimes, type LogClock, type LineTimes } from './line-times.ts'

/** The column of times as the user selected it; the same object as long as nothing changes. */
export const useLineTimes = (
  { times, clock }: { times: boolean; clock: LogClock },
  { lastTime, tenths, began }: LogStats,
  step: Step | undefined,
): LineTimes | undefined => {
  const started = step?.started ?? 0
  return useMemo(
    () => (times ? lineTimes(clock, { lastTime, tenths, began }, started) : undefined),
    [times, clock, lastTime, tenths, began, started],
  )
}
