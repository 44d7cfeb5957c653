import { useLayoutEffect, useRef, type RefObject } from 'react'

import { below, drawnPlace, isWithin, rowOfLine } from './drawn-lines.ts'
import { endOf, fromAbove, positionAt, topOfLine, type ScrollPosition } from '../reading/scroll-position.ts'
import type { ReadingStore } from '../reading/reading-store.ts'
import { topOfWindow, type Reading } from '../reading/reading.ts'
import type { LogWindow } from './use-log-window.ts'
import { rowHeight, scrollHeight, scrollTopOf, topOf } from '../reading/viewport.ts'

export interface ScrollBarOptions {
  scroller: RefObject<HTMLElement | null>
  /** Contains the rendered lines, each an element with `data-line`. */
  block: RefObject<HTMLElement | null>
  store: ReadingStore
  /** The rendered reading state. */
  reading: Reading
  shown: LogWindow
  wrap: boolean
}

/**
 * Keeps reading position and scroll bar in sync: moves the scroll bar and the rendered lines to the
 * position, and reports the user's scrolling. New lines above or below, measured heights, folding
 * and a rescaled range move the bar but never the text.
 */
export const useScrollBar = ({ scroller, block, store, reading, shown, wrap }: ScrollBarOptions) => {
  const { layout, geometry, windowed, barHeight, scaled } = shown
  const { follow, goal } = reading
  const position = fromAbove(layout, reading.position)
  const bar = useRef({
    /** The offset for which it was positioned. */
    positionedAt: 0,
    /** The last offset that was set or seen; any difference is the user's scroll. */
    seenAt: 0,
    /** A smooth scroll by the browser is in progress; setting the offset meanwhile cancels it. */
    isMoving: false,
    /** The rendered lines are shifted from where they were rendered: see `moveLines`. */
    areLinesMoved: false,
    reached: undefined as Reading['goal'],
    /**
     * The range and window height when it was last set to the end while following, if it is still
     * there.
     */
    atEndOf: undefined as string | undefined,
  })
  /**
   * Rendered lines are moved to their position, so that the scroll bar need not be exact for a
   * while.
   */
  const areLinesMovable = windowed && (wrap || scaled)

  const positionNow = (element: HTMLElement): ScrollPosition => {
    if (element.scrollTop <= 0) return positionAt(layout, 0)
    // For a scroll bar that lags behind, only the distance from its end is meaningful.
    const extraHeight = windowed ? scrollHeight(geometry) - barHeight : 0
    if (extraHeight > 0) return positionAt(layout, Math.max(0, element.scrollTop + extraHeight))
    // In a scaled range, a finger moves the text by the same distance; only a longer distance is a
    // move of the scroll bar.
    const drawn = block.current && (wrap || scaled || !windowed) ? drawnPlace(element, block.current) : undefined
    return drawn ?? positionAt(layout, windowed ? topOf(geometry, element.scrollTop) : element.scrollTop)
  }

  const seen = (at: number): void => {
    bar.current.positionedAt = at
    bar.current.seenAt = at
    bar.current.isMoving = false
  }

  /** Scrolls the requested line into view; returns whether it was outside. */
  const moveToGoal = (element: HTMLElement, { line }: { line: number }): boolean => {
    const row = element.querySelector<HTMLElement>(`[data-line="${line}"]:not([style])`)
    const y = windowed || !row ? topOfLine(layout, line) : row.offsetTop
    const top = topOfWindow(reading, layout)
    // At the end, lines are in place although the heights of wrapped ones are still unknown.
    const isInView =
      'lastLine' in reading.position
        ? row !== null && isWithin(element, row)
        : y >= top && y + rowHeight <= top + geometry.height
    if (windowed && isInView) return false
    const newTop = Math.max(0, y - geometry.height / 3)
    element.scrollTop = windowed ? scrollTopOf(geometry, newTop) : newTop
    seen(element.scrollTop)
    store.dispatch({ type: 'settled', position: { line, offset: (windowed ? newTop : element.scrollTop) - y } })
    return true
  }

  /** Moves the scroll bar to the current position, or to the end. */
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
    // A shorter range also moves the bar; any other difference is the user's scroll, whose event
    // follows.
    const moved = element.scrollTop - Math.min(positionedAt, range)
    const row = windowed || !block.current ? null : rowOfLine(block.current, position.line)
    const at = windowed
      ? scrollTopOf(geometry, topOfWindow(reading, layout))
      : row
        ? row.offsetTop + position.offset
        : positionedAt
    // While the heights are unknown the position has no offset, and the scroll bar stays.
    if (layout.exact && !(isMoving && areLinesMovable) && Math.abs(at - positionedAt) > 1)
      element.scrollTo(element.scrollLeft, at + moved)
    else if (positionedAt <= range) return
    seen(element.scrollTop - moved)
  }

  /**
   * Moves the rendered lines until the line of the position is in place: their heights can differ
   * from the expected ones.
   */
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
    // At the end the last line is in place.
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
    // Only the user's own scrolling counts: `seenAt` already includes the moves by a goal or by
    // following.
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
      // Otherwise the next render does it.
      if (store.get() === reading) put()
    },
    /** The user wants to scroll up. */
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
