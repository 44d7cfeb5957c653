import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type CSSProperties,
  type MouseEvent,
} from 'react'

import type { LineRange } from '../anchor.ts'
import { foldedRows } from './folding.ts'
import { linesIn, rowHeight, scaleOf, scrollHeight, scrollTopOf, windowOf } from './viewport.ts'
import type { LogStats } from '../engine/protocol.ts'
import type { LogStore } from '../source/log-store.ts'
import { LogRow } from './log-row.tsx'
import type { Folds } from './use-folds.ts'
import { useOwnScroll } from './use-own-scroll.ts'
import { usePlace } from './use-place.ts'
import { useRows } from './use-rows.ts'
import { useSelection } from './use-selection.ts'
import { useSize } from './use-size.ts'
import { useStableCallbacks } from './use-stable-callbacks.ts'
import { useReaderIntent } from './use-reader-intent.ts'

/** Up to this many lines all are in the document, so that the browser's own find and selection see them. */
const mostWhole = 2000
/** Lines that are drawn above and below the window. */
const overscan = 12
/** Lines above and below the drawn ones that are asked for with them. */
const around = 52

export interface LogLinesProps {
  store: LogStore
  stats: LogStats
  /** The first line to show. */
  first: number
  wrap: boolean
  times: boolean
  follow: boolean
  onFollow: (follow: boolean) => void
  /** Lines come in so quickly that only those in the window are drawn. */
  rushing: boolean
  marked: LineRange | undefined
  currentHit: { index: number; line: number } | undefined
  /** A line to bring into the window; a new object for each wish. */
  goal: { line: number } | undefined
  onNumber: (event: MouseEvent, number: number) => void
  folds: Folds
}

const isMarked = (marked: LineRange | undefined, number: number | undefined): boolean =>
  marked !== undefined && number !== undefined && number >= marked.from && number <= marked.to

/** The scrolled lines: all of them while they are few, else those in the window. */
export function LogLines(props: LogLinesProps) {
  const { store, stats, first, wrap, times, follow, onFollow, rushing, marked, currentHit, goal, onNumber, folds } =
    props
  const { version, lines: count } = stats
  const grouped = stats.groups > 0
  const scroller = useRef<HTMLDivElement>(null)
  const { onFold } = useStableCallbacks({ onFold: folds.toggle })
  const block = useRef<HTMLDivElement>(null)
  useSyncExternalStore(store.subscribe, store.getRevision)

  const shown = count - first
  const windowed = shown > mostWhole || rushing
  const digits = { '--digits': String(stats.lastNumber).length, '--time-digits': String(stats.lastTime).length }
  const { height, columns } = useSize(scroller, `${shown > 0} ${times} ${grouped} ${Object.values(digits).join()}`)
  const measured = wrap && windowed && !follow
  const { rows: all, exact } = useRows({ store, first, count, version, columns, wrap: measured })
  const { hidden } = folds
  const rows = useMemo(() => {
    const inside = hidden.filter(({ from }) => from > first)
    return foldedRows(
      all,
      inside.map(({ from, to }) => ({ from: from - first, to: to - first })),
    )
  }, [hidden, first, all])
  const geometry = { rows: rows.rowOf(rows.count), height }
  const scaled = windowed && scaleOf(geometry) > 1
  const place = usePlace({ scroller, block, rows, geometry, first, windowed, wrap, exact, scaled, follow })
  const { top, end, lastTop, settle, scrolled, stopped, moveBy } = place
  const range = windowed ? windowOf(rows, height, top, rushing ? 1 : overscan) : { from: 0, to: shown }
  const { pins } = useSelection(scroller, block, store, first, count)

  const lines = linesIn(rows, range).map((line) => first + line)
  const from = lines[0] ?? first
  const to = (lines.at(-1) ?? first) + 1
  const drawn = new Set(lines)
  const kept = windowed ? pins.filter((line) => line >= first && line < count && !drawn.has(line)) : []
  // Before the browser paints, so that the answer may be there for the next frame; a little more than is drawn.
  useLayoutEffect(
    () => {
      const near =
        windowed && !rushing ? linesIn(rows, windowOf(rows, height, top, around)).map((line) => first + line) : lines
      // The ends of a selection, too: an end that lost its text would be lost to the browser.
      store.want([...near, ...kept])
    },
    // What is drawn follows from these.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [store, rows, first, from, to, version, count, kept.join()],
  )

  const inWindow = Math.ceil(height / rowHeight) + 2
  // Also while all lines are drawn: when a rush begins, those at the end must have their texts already.
  useEffect(() => store.follow(follow ? inWindow : 0), [store, follow, inWindow])

  useEffect(() => {
    const element = scroller.current
    if (!element || !goal) return
    const row = element.querySelector<HTMLElement>(`[data-line="${goal.line}"]:not([style])`)
    const y = windowed || !row ? rows.rowOf(goal.line - first) * rowHeight : row.offsetTop
    const here = windowed ? top : element.scrollTop
    const visible = y >= here && y + rowHeight <= here + height
    if (visible && windowed) return
    const wanted = Math.max(0, y - height / 3)
    element.scrollTop = windowed ? scrollTopOf(geometry, wanted) : wanted
    settle({ line: goal.line, offset: (windowed ? wanted : element.scrollTop) - y })
    // Only a new wish moves the window; all else is read as it stands at that moment.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [goal])

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop } = element
    const atEnd = scrollTop + element.clientHeight >= element.scrollHeight - 2
    // Only the reader's own moves count: where a goal or the follower has put the window, `lastTop` says so already.
    if (!follow && atEnd && scrollTop > lastTop.current + 1) onFollow(true)
    else if (follow && !atEnd && scrollTop < lastTop.current - 1) onFollow(false)
    // While the end is followed the window does not depend on it.
    if ((!follow || !atEnd) && scrollTop !== lastTop.current) scrolled()
    lastTop.current = scrollTop
  }
  const onScrollEnd = () => {
    // The browser tells of the end before it tells of the last move.
    onScroll()
    stopped()
  }

  const onUp = () => {
    if (!follow) return
    settle()
    onFollow(false)
  }
  useReaderIntent(scroller, { onUp, onEnd: () => onFollow(true) })
  useOwnScroll(scroller, scaled, (pixels) => {
    if (pixels > 0 && top + pixels >= end) onFollow(true)
    else moveBy(pixels)
  })

  const scrollTop = windowed ? scrollTopOf(geometry, top) : 0
  /** Where a line stands in the scrolled area, right for the lines near the window. */
  const yOf = (line: number) => scrollTop + rows.rowOf(line - first) * rowHeight - top
  /** A row that is kept, out of sight: where the range is scaled its place would lie far outside of it. */
  const keptAt = (line: number) => {
    const last = scrollHeight(geometry) - (rows.rowOf(line - first + 1) - rows.rowOf(line - first)) * rowHeight
    return Math.max(0, Math.min(yOf(line), last))
  }
  const blockTop = yOf(from)
  const atEnd = windowed && to === count && top >= end
  const blockStyle: CSSProperties & typeof digits = {
    ...digits,
    ...(windowed && { position: 'absolute', minWidth: '100%', ...(atEnd ? { bottom: 0 } : { top: blockTop }) }),
    ...(windowed && wrap && { width: '100%' }),
  }
  return (
    <div
      ref={scroller}
      className="min-h-0 flex-1 overflow-auto overscroll-contain font-console text-sm outline-offset-[-2px] [overflow-anchor:none]"
      // Scrolling by keyboard needs the focus.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={onScroll}
      onScrollEnd={onScrollEnd}
    >
      <div className="relative min-w-full" style={windowed ? { height: scrollHeight(geometry) } : undefined}>
        <div
          ref={block}
          className="log-lines py-0"
          data-wrap={wrap || undefined}
          data-groups={grouped || undefined}
          style={blockStyle}
        >
          {[...kept, ...lines]
            .toSorted((a, b) => a - b)
            .map((line, place) => {
              const view = store.line(line)
              return (
                <LogRow
                  // In a rush all rows are other lines each time: their elements stay and get other texts.
                  key={rushing && kept.length === 0 ? place : line}
                  index={line}
                  view={view}
                  times={times}
                  marked={isMarked(marked, view?.number)}
                  currentHit={currentHit?.line === line ? currentHit.index : -1}
                  pinnedAt={drawn.has(line) ? undefined : keptAt(line) - blockTop}
                  folded={folds.isFolded(line)}
                  onNumber={onNumber}
                  onFold={onFold}
                />
              )
            })}
        </div>
      </div>
    </div>
  )
}
