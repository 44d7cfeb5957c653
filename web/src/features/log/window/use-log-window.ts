import { useLayoutEffect, useMemo, type RefObject } from 'react'

import type { LogStats } from '../engine/protocol.ts'
import { filteredRows } from '../reading/filtered-rows.ts'
import type { LogStore } from '../source/log-store.ts'
import { foldedRows } from './folding.ts'
import type { Layout } from '../reading/scroll-position.ts'
import { firstShown, topOfWindow, type Reading } from '../reading/reading.ts'
import type { Folds } from './use-folds.ts'
import { useRows } from './use-rows.ts'
import { useSize } from './use-size.ts'
import { linesIn, rowHeight, scaleOf, scrollHeight, windowOf, type Geometry } from '../reading/viewport.ts'

/**
 * Logs with up to this many lines are rendered completely, so that the browser's own search and
 * selection include them.
 */
const maxWhole = 2000
/** The number of lines rendered above and below the viewport. */
const overscan = 12
/** The number of lines above and below the rendered ones to request with them. */
const around = 40

export interface LogWindowOptions {
  scroller: RefObject<HTMLElement | null>
  store: LogStore
  stats: LogStats
  reading: Reading
  folds: Folds
  /** Shows only these lines. */
  only: Uint32Array | undefined
  wrap: boolean
  /** The width of the column of times in characters; 0 without the column. */
  timeWidth: number
  inBurst: boolean
  /** The line count rendered around the lines, which updates less often. */
  announcedLines: number
  /** Lines whose rows must stay in the document. */
  pins: readonly number[]
}

export interface LogWindow {
  layout: Layout
  geometry: Geometry
  /** Only the lines near the viewport are rendered. */
  windowed: boolean
  /**
   * The log has so few lines, each on one row, that all are rendered as soon as the burst is over.
   */
  brief: boolean
  /** The height of the scroll range in pixels. */
  barHeight: number
  /** A pixel of the scroll bar is more than a pixel of the text. */
  scaled: boolean
  /** The number of characters that fit into a line's text; 0 while unknown. */
  columns: number
  /** The scroll offset in the log. */
  top: number
  /** The lines rendered at their position. */
  lines: readonly number[]
  /** The lines rendered in addition, out of sight. */
  kept: readonly number[]
}

/** Which lines are rendered, and where; requests them. */
export const useLogWindow = (options: LogWindowOptions): LogWindow => {
  const { scroller, store, stats, reading, folds, only, wrap, timeWidth, inBurst, announcedLines, pins } = options
  const { version, lines: count } = stats
  const { follow } = reading
  const first = firstShown(reading)
  const few = (only?.length ?? count - first) <= maxWhole
  const windowed = !few || inBurst
  const columnsOf = [stats.groups > 0, timeWidth, String(stats.lastNumber).length]
  const { height, columns } = useSize(scroller, `${count > first} ${columnsOf.join(' ')}`)
  const { rows: all, exact } = useRows({ store, first, count, version, columns, wrap: wrap && windowed && !follow })
  const { hidden } = folds
  const rows = useMemo(() => {
    if (only) return filteredRows(all, only, wrap)
    const inside = hidden.filter(({ from }) => from > first)
    return foldedRows(
      all,
      inside.map(({ from, to }) => ({ from: from - first, to: to - first })),
    )
  }, [only, wrap, hidden, first, all])
  const layout: Layout = { rows, first, height, exact }
  const geometry = { rows: rows.rowOf(rows.count), height }
  const top = topOfWindow(reading, layout)
  // While the end is followed the scroll bar need not be exact: moving it is as expensive as
  // rendering the lines.
  const announcedHeight = scrollHeight({ rows: rows.rowOf(Math.min(announcedLines, rows.count)), height })
  const isBarHeld = inBurst && !few && follow && !only && first === 0 && announcedHeight > 2 * height
  const barHeight = isBarHeld ? announcedHeight : scrollHeight(geometry)

  const range = windowed ? windowOf(rows, height, top, inBurst ? 1 : overscan) : { from: 0, to: rows.count }
  const { from, to } = range
  const lines = useMemo(() => linesIn(rows, { from, to }).map((line) => first + line), [rows, from, to, first])
  const kept = useMemo(() => {
    if (!windowed || pins.length === 0) return []
    const drawn = new Set(lines)
    return pins.filter((line) => line >= first && line < count && !drawn.has(line))
  }, [windowed, pins, lines, first, count])

  const inWindow = Math.ceil(height / rowHeight) + 2
  // Before the browser paints, so that the response can arrive before the next frame; slightly more
  // than what is rendered.
  useLayoutEffect(() => {
    const more = windowed && !inBurst ? around : 0
    const nearby = { from: Math.max(0, from - more), to: Math.min(to + more, rows.count) }
    // Also the ends of a selection: the browser would lose an end without text.
    store.want([...linesIn(rows, nearby).map((line) => first + line), ...kept])
    // Also while all lines are rendered: when a burst starts, the last lines must already have
    // their texts.
    store.follow(follow ? inWindow : 0)
  }, [store, rows, first, from, to, kept, windowed, inBurst, follow, inWindow])

  const scaled = windowed && scaleOf(geometry) > 1
  return { layout, geometry, windowed, brief: windowed && few && !wrap, barHeight, scaled, columns, top, lines, kept }
}
