import type { ReactNode } from 'react'

import { formatDuration, isUnfinished, neverRan } from '../lib/duration.ts'
import { cx } from './class-names.ts'
import { useNow } from '../browser/clock.ts'

export interface DurationProps {
  started: number | undefined
  /** 0 or absent: unfinished, so it ticks, unless its status is final. */
  finished?: number | undefined
  /** Its status: an entity that never ran has no duration, although it has times. */
  status?: string
  className?: string
  /** Content after the duration. */
  children?: ReactNode
}

/**
 * `1m 04s`; ticks every second while unfinished. Shows a dash before the start, if it never ran,
 * and for an end without a time.
 */
export function Duration({ started, finished, status = '', className, children }: DurationProps) {
  const ticks = isUnfinished(status, started, finished)
  const now = useNow(ticks ? 'second' : 'never')
  const durationClass = cx('tabular-nums', className)
  const none = !started || (!finished && !ticks) || neverRan(status, started, finished)
  return (
    <span className={durationClass}>
      {none ? '–' : formatDuration((finished || now) - started)}
      {children}
    </span>
  )
}
