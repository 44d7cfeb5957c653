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

/** Up to this many lines all are in the document, so that the browser's own find and selection see them. */
const maxWhole = 2000
/** Lines that are drawn above and below the window. */
const overscan = 12
/** The number of lines above and below the rendered ones to request with them. */
const around = 40

export interface LogWindowOptions {
  scroller: RefObject<HTMLElement | null>
  store: LogStore
  stats: LogStats
  reading: Reading
  folds: Folds
  /** No others are shown. */
  only: Uint32Array | undefined
  wrap: boolean
  /** Characters of the column of times; 0 where there is none. */
  timeWidth: number
  inBurst: boolean
  /** The line count rendered around the lines, which updates less often. */
  toldLines: number
  /** Lines whose rows must stay in the document. */
  pins: readonly number[]
}

export interface LogWindow {
  layout: Layout
  geometry: Geometry
  /** Only the lines near the window are drawn. */
  windowed: boolean
  /** Of so few lines, each of one row, that all of them are drawn as soon as it is calm. */
  brief: boolean
  /** Pixels that the scroll bar goes over. */
  barHeight: number
  /** A pixel of the scroll bar is more than one of the text. */
  scaled: boolean
  /** How many characters fit into a line's text; 0 while unknown. */
  columns: number
  /** The scroll offset in the log. */
  top: number
  /** The lines that are drawn in their place. */
  lines: readonly number[]
  /** Those that are drawn besides, out of sight. */
  kept: readonly number[]
}

/** Which lines are drawn, and how they lie; has them fetched. */
export const useLogWindow = (options: LogWindowOptions): LogWindow => {
  const { scroller, store, stats, reading, folds, only, wrap, timeWidth, inBurst, toldLines, pins } = options
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
  // While the end is followed the scroll bar need not be exact: moving it costs as much as drawing the lines.
  const toldHeight = scrollHeight({ rows: rows.rowOf(Math.min(toldLines, rows.count)), height })
  const isBarHeld = inBurst && !few && follow && !only && first === 0 && toldHeight > 2 * height
  const barHeight = isBarHeld ? toldHeight : scrollHeight(geometry)

  const range = windowed ? windowOf(rows, height, top, inBurst ? 1 : overscan) : { from: 0, to: rows.count }
  const { from, to } = range
  const lines = useMemo(() => linesIn(rows, { from, to }).map((line) => first + line), [rows, from, to, first])
  const kept = useMemo(() => {
    if (!windowed || pins.length === 0) return []
    const drawn = new Set(lines)
    return pins.filter((line) => line >= first && line < count && !drawn.has(line))
  }, [windowed, pins, lines, first, count])

  const inWindow = Math.ceil(height / rowHeight) + 2
  // Before the browser paints, so that the answer may be there for the next frame; a little more than is drawn.
  useLayoutEffect(() => {
    const more = windowed && !inBurst ? around : 0
    const near = { from: Math.max(0, from - more), to: Math.min(to + more, rows.count) }
    // The ends of a selection, too: an end that lost its text would be lost to the browser.
    store.want([...linesIn(rows, near).map((line) => first + line), ...kept])
    // Also while all lines are drawn: when a burst begins, those at the end must have their texts already.
    store.follow(follow ? inWindow : 0)
  }, [store, rows, first, from, to, kept, windowed, inBurst, follow, inWindow])

  const scaled = windowed && scaleOf(geometry) > 1
  return { layout, geometry, windowed, brief: windowed && few && !wrap, barHeight, scaled, columns, top, lines, kept }
}
