import { useLayoutEffect, useRef, type RefObject } from 'react'

import { below, drawnPlace, rowOfLine } from './drawn-lines.ts'
import { endOf, fromAbove, positionAt, topOfLine, type ScrollPosition } from '../reading/scroll-position.ts'
import type { ReadingStore } from '../reading/reading-store.ts'
import { topOfWindow, type Reading } from '../reading/reading.ts'
import type { LogWindow } from './use-log-window.ts'
import { rowHeight, scrollHeight, scrollTopOf, topOf } from '../reading/viewport.ts'

export interface ScrollBarOptions {
  scroller: RefObject<HTMLElement | null>
  /** Holds the drawn lines, each an element with `data-line`. */
  block: RefObject<HTMLElement | null>
  store: ReadingStore
  /** What was drawn. */
  reading: Reading
  shown: LogWindow
  wrap: boolean
}

/**
 * Keeps reading position and scroll bar in sync: moves the scroll bar and the rendered lines to the position, and reports the user's
 * scrolling. New lines above or below, measured heights, folding and a rescaled range move the bar but never the text.
 */
export const useScrollBar = ({ scroller, block, store, reading, shown, wrap }: ScrollBarOptions) => {
  const { layout, geometry, windowed, barHeight, scaled } = shown
  const { follow, goal } = reading
  const position = fromAbove(layout, reading.position)
  const bar = useRef({
    /** Its offset for the position. */
    positionedAt: 0,
    /** Where it was put or seen last; what differs from it is the reader's own move. */
    seenAt: 0,
    /** A smooth scroll by the browser is in progress; setting the offset meanwhile cancels it. */
    isMoving: false,
    /** The rendered lines are shifted from where they were rendered: see `moveLines`. */
    areLinesMoved: false,
    reached: undefined as Reading['goal'],
    /** The range and window height when it was last set to the end while following, if it is still there. */
    atEndOf: undefined as string | undefined,
  })
  /** Drawn lines are moved to their place, so that the bar need not be exact for a while. */
  const areLinesMovable = windowed && (wrap || scaled)

  const positionNow = (element: HTMLElement): ScrollPosition => {
    if (element.scrollTop <= 0) return positionAt(layout, 0)
    // Of a bar that is behind only the way from its end means something.
    const behind = windowed ? scrollHeight(geometry) - barHeight : 0
    if (behind > 0) return positionAt(layout, Math.max(0, element.scrollTop + behind))
    // Where the range is scaled, a finger moves the text as far as itself; only a longer way is one on the bar.
    const drawn = block.current && (wrap || scaled || !windowed) ? drawnPlace(element, block.current) : undefined
    return drawn ?? positionAt(layout, windowed ? topOf(geometry, element.scrollTop) : element.scrollTop)
  }

  const seen = (at: number): void => {
    bar.current.positionedAt = at
    bar.current.seenAt = at
    bar.current.isMoving = false
  }

  /** Scrolls the requested line into the window; returns whether it was outside. */
  const moveToGoal = (element: HTMLElement, { line }: { line: number }): boolean => {
    const row = element.querySelector<HTMLElement>(`[data-line="${line}"]:not([style])`)
    const y = windowed || !row ? topOfLine(layout, line) : row.offsetTop
    const top = topOfWindow(reading, layout)
    if (windowed && y >= top && y + rowHeight <= top + geometry.height) return false
    const wanted = Math.max(0, y - geometry.height / 3)
    element.scrollTop = windowed ? scrollTopOf(geometry, wanted) : wanted
    seen(element.scrollTop)
    store.dispatch({ type: 'settled', position: { line, offset: (windowed ? wanted : element.scrollTop) - y } })
    return true
  }

  /** Puts the bar to where the position is now, or to the end. */
  const moveBar = (element: HTMLElement): void => {
    const { positionedAt, isMoving, atEndOf } = bar.current
    const ends = follow && windowed ? `${barHeight} ${geometry.height}` : undefined
    if (ends !== undefined && ends === atEndOf) return
    bar.current.atEndOf = ends
    const range = element.scrollHeight - element.clientHeight
    if (follow) {
      element.scrollTo(element.scrollLeft, range)
      seen(element.scrollTop)
      return
    }
    // A shorter range also moves the bar; any other difference is the user's scroll, whose event follows.
    const moved = element.scrollTop - Math.min(positionedAt, range)
    const row = windowed || !block.current ? null : rowOfLine(block.current, position.line)
    const at = windowed
      ? scrollTopOf(geometry, topOfWindow(reading, layout))
      : row
        ? row.offsetTop + position.offset
        : positionedAt
    // While the heights are not known the position has no place on the bar, and the bar stays.
    if (layout.exact && !(isMoving && areLinesMovable) && Math.abs(at - positionedAt) > 1)
      element.scrollTo(element.scrollLeft, at + moved)
    else if (positionedAt <= range) return
    seen(element.scrollTop - moved)
  }

  /** Moves the drawn lines until the line of the position is in its place: their heights may not be what they should. */
  const moveLines = (element: HTMLElement, drawn: HTMLElement): void => {
    const row = rowOfLine(drawn, position.line)
    const off = row ? below(element, row) - position.offset - (element.scrollTop - bar.current.positionedAt) : 0
    if (Math.abs(off) < 1) return
    drawn.style.setProperty('translate', `0 ${off}px`)
    bar.current.areLinesMoved = true
  }

  const put = (): void => {
    const element = scroller.current
    if (!element) return
    if (bar.current.areLinesMoved) block.current?.style.removeProperty('translate')
    bar.current.areLinesMoved = false
    const isNewGoal = goal !== undefined && goal !== bar.current.reached
    bar.current.reached = goal
    if (isNewGoal && moveToGoal(element, goal)) return
    moveBar(element)
    // At the end the last line has its place.
    const isAtEnd = follow || (layout.exact && topOfLine(layout, position.line) + position.offset > endOf(layout))
    if (block.current && areLinesMovable && !isAtEnd) moveLines(element, block.current)
    // From now on, the position is relative to the text, not to the last line.
    if (!follow && position !== reading.position) store.dispatch({ type: 'settled', position })
  }
  // Before the browser paints.
  useLayoutEffect(put)

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop } = element
    const by = scrollTop - bar.current.seenAt
    bar.current.seenAt = scrollTop
    if (by !== 0) bar.current.atEndOf = undefined
    const atEnd = scrollTop + element.clientHeight >= element.scrollHeight - 2
    // Only the reader's own moves count: where a goal or the follower has put the window, `seenAt` says so already.
    if (by === 0 || (atEnd && store.get().follow)) return
    bar.current.positionedAt = scrollTop
    bar.current.isMoving = 'onscrollend' in window
    const way = by > 1 ? 'down' : by < -1 ? 'up' : 'hardly'
    store.dispatch({ type: 'scrolled', way, atEnd, position: positionNow(element) })
  }
  return {
    onScroll,
    onScrollEnd: () => {
      // `scrollend` fires before the last `scroll` event.
      onScroll()
      if (!bar.current.isMoving) return
      bar.current.isMoving = false
      // Else what is drawn next does it.
      if (store.get() === reading) put()
    },
    /** The reader wants to read further up. */
    onUp: () => {
      const element = scroller.current
      if (!element || !store.get().follow) return
      seen(element.scrollTop)
      store.dispatch({ type: 'let go', position: positionNow(element) })
    },
    onEnd: () => store.dispatch({ type: 'followed' }),
    onMove: (pixels: number) => {
      bar.current.isMoving = false
      store.dispatch({ type: 'moved', pixels, layout })
    },
  }
}
