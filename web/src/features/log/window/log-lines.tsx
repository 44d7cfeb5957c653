import { useRef, useState, useSyncExternalStore, type CSSProperties, type MouseEvent } from 'react'

import { Scroller } from '../../../ui/scroller.tsx'
import type { LineRange } from '../step/anchor.ts'
import { isIn } from '../reading/filtered-rows.ts'
import type { LogStore } from '../source/log-store.ts'
import type { LineTimes } from './line-times.ts'
import { LogRow } from './log-row.tsx'
import { isNarrow } from './narrow.ts'
import { endOf, topOfLine } from '../reading/scroll-position.ts'
import { useWholeReading, type ReadingStore } from '../reading/reading-store.ts'
import { RowKeys } from './row-keys.ts'
import type { Folds } from './use-folds.ts'
import { useLogWindow, type LogWindow } from './use-log-window.ts'
import { useReaderIntent } from './use-reader-intent.ts'
import { useScrollBar } from './use-scroll-bar.ts'
import { useSelection } from './use-selection.ts'
import { scrollHeight, scrollTopOf } from '../reading/viewport.ts'

export interface LogLinesProps {
  store: LogStore
  reading: ReadingStore
  wrap: boolean
  /** The timestamps beside the lines, if shown. */
  times: LineTimes | undefined
  /** Lines arrive so fast that only visible ones are rendered. */
  inBurst: boolean
  /** The line count rendered around the lines. */
  announcedLines: number
  marked: LineRange | undefined
  /** The step's error lines. */
  causeLines: ReadonlySet<number>
  /** The lines that the last successful run did not have, in order. */
  newLines: Uint32Array | undefined
  /** Shows only these lines. */
  only: Uint32Array | undefined
  currentHit: { index: number; line: number } | undefined
  onNumber: (event: MouseEvent, number: number) => void
  folds: Folds
}

const isMarked = (marked: LineRange | undefined, number: number | undefined): boolean =>
  marked !== undefined && number !== undefined && number >= marked.from && number <= marked.to

/** The positions of lines in the scrolled area; exact for lines near the viewport. */
const positionsOf = ({ layout, geometry, windowed, brief, top, lines }: LogWindow) => {
  const scrollTop = windowed ? scrollTopOf(geometry, top) : 0
  const yOf = (line: number) => scrollTop + topOfLine(layout, line) - top
  const blockTop = yOf(lines[0] ?? layout.first)
  /**
   * The position of a row that is kept out of sight: in a scaled range its real position would be
   * far outside.
   */
  const pinnedTopOf = (line: number) => {
    const last = scrollHeight(geometry) - (topOfLine(layout, line + 1) - topOfLine(layout, line))
    return Math.max(0, Math.min(yOf(line), last)) - (brief ? 0 : blockTop)
  }
  return { blockTop, keptAt: pinnedTopOf }
}

/** The scrolled lines: all of them while they are few, otherwise those in the viewport. */
export function LogLines(props: LogLinesProps) {
  const {
    store,
    wrap,
    times,
    inBurst,
    announcedLines,
    marked,
    causeLines,
    newLines,
    only,
    currentHit,
    onNumber,
    folds,
  } = props
  const reading = useWholeReading(props.reading)
  const scroller = useRef<HTMLDivElement>(null)
  const block = useRef<HTMLDivElement>(null)
  const { stats } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  useSyncExternalStore(store.subscribe, store.getRevision)
  const { pins } = useSelection(scroller, block, store, props.reading, only)
  const shown = useLogWindow({
    scroller,
    store,
    stats,
    reading,
    folds,
    only,
    wrap,
    timeWidth: times?.width ?? 0,
    inBurst,
    announcedLines,
    pins,
  })
  const { layout, windowed, brief, barHeight, columns, top, lines, kept } = shown
  const { onScroll, onScrollEnd, ...intents } = useScrollBar({
    scroller,
    block,
    store: props.reading,
    reading,
    shown,
    wrap,
  })
  useReaderIntent(scroller, shown.scaled, intents)

  const { blockTop, keptAt } = positionsOf(shown)
  const out = new Set(kept)
  const [rowKeys] = useState(() => new RowKeys())
  const drawn = [...kept, ...lines].toSorted((a, b) => a - b)
  const keys = rowKeys.of(drawn, inBurst && kept.length === 0)
  const views = drawn.map((line) => store.line(line))
  // Line numbers and times are sticky only if lines can scroll sideways: each sticky element is a
  // compositing layer.
  const narrow = inBurst && windowed && views.every((view) => wrap || !view || isNarrow(view, columns))
  const last = (lines.at(-1) ?? layout.first) - layout.first
  const atEnd = windowed && layout.rows.next(last) >= layout.rows.count && top >= endOf(layout)
  const digits = { '--digits': String(stats.lastNumber).length, '--time-width': times?.width ?? 0 }
  const blockStyle: CSSProperties & typeof digits = {
    ...digits,
    ...(windowed && { position: 'absolute', minWidth: '100%', ...(atEnd ? { bottom: 0 } : { top: blockTop }) }),
    // If the other lines join them in a moment, the block starts at any position: moving it would
    // count as a layout shift, although none is visible.
    ...(brief && { top: 0, bottom: 'auto', paddingTop: blockTop }),
    ...(windowed && (wrap || narrow) && { width: '100%' }),
  }
  return (
    <Scroller
      ref={scroller}
      className="overscroll-contain font-mono text-sm -outline-offset-2 [overflow-anchor:none]"
      onScroll={onScroll}
      onScrollEnd={onScrollEnd}
    >
      <div className="relative min-w-full" style={windowed ? { height: barHeight } : undefined}>
        <div
          ref={block}
          className="log-lines py-0"
          data-wrap={wrap || undefined}
          data-narrow={narrow || undefined}
          data-groups={stats.groups > 0 || undefined}
          style={blockStyle}
        >
          {drawn.map((line, index) => {
            const view = views[index]
            return (
              <LogRow
                key={keys[index]}
                index={line}
                view={view}
                time={times && (view ? times.textOf(view) : '')}
                marked={isMarked(marked, view?.number)}
                isCause={causeLines.has(line)}
                // In the view of new lines, a mark on every line would mean nothing.
                isNew={!only && newLines !== undefined && isIn(newLines, line)}
                foldable={!only}
                currentHit={currentHit?.line === line ? currentHit.index : -1}
                pinnedAt={out.has(line) ? keptAt(line) : undefined}
                folded={folds.isFolded(line)}
                onNumber={onNumber}
                onFold={folds.toggle}
              />
            )
          })}
        </div>
      </div>
    </Scroller>
  )
}
