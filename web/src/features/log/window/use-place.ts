import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

import { contentHeight, rowHeight, scrollTopOf, topOf, type Geometry, type Rows } from './viewport.ts'

/** A line of the log, and how many pixels below its upper edge the window begins; less than 0: above it. */
interface Place {
  line: number
  offset: number
}

export interface PlaceOptions {
  scroller: RefObject<HTMLElement | null>
  /** Holds the drawn lines, each an element with `data-line`. */
  block: RefObject<HTMLElement | null>
  rows: Rows
  geometry: Geometry
  /** The line that the rows begin with. */
  first: number
  windowed: boolean
  wrap: boolean
  /** The heights of the rows are known. */
  exact: boolean
  /** A pixel of the scroll bar is more than one of the text. */
  scaled: boolean
  follow: boolean
}

const lineOf = (row: Element | undefined): number => Number(row?.getAttribute('data-line') ?? 0)

/** The drawn row at a height, by halves: rows of wrapped lines have any height. */
const rowAt = (block: HTMLElement, y: number): HTMLElement | undefined => {
  const rows = block.children
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((rows[middle] as HTMLElement).offsetTop <= y) low = middle
    else high = middle - 1
  }
  return rows[low] as HTMLElement | undefined
}

/** How far the upper edge of the window is below that of an element in it. */
const below = (scroller: HTMLElement, element: HTMLElement): number =>
  scroller.getBoundingClientRect().top - element.getBoundingClientRect().top

/**
 * Where the reader is, as a place in the text and not on the scroll bar: lines that come in above or below, heights
 * that become known, folding and a scroll range that is scaled otherwise all leave it where it is.
 */
export const usePlace = (options: PlaceOptions) => {
  const { scroller, block, rows, geometry, first, windowed, wrap, exact, scaled, follow } = options
  const [place, setPlace] = useState<Place>({ line: first, offset: 0 })
  const [followed, setFollowed] = useState(follow)
  /** The browser moves the bar for the reader and is not done: whoever puts it elsewhere meanwhile ends the move. */
  const [scrolling, setScrolling] = useState(false)
  /** Where the scroll bar stood for this place. */
  const barAt = useRef(0)
  /** Where the scroll bar was put or seen last; what differs from it is the reader's own move. */
  const lastTop = useRef(0)
  /** The drawn lines stand elsewhere than where they were drawn: see `moveLines`. */
  const areMoved = useRef(false)
  const end = Math.max(0, contentHeight(geometry) - geometry.height)

  // Lines that are not shown any more, or not yet: the reader is at the first one that is.
  if (place.line < first) setPlace({ line: first, offset: 0 })
  if (followed !== follow) {
    setFollowed(follow)
    // Who followed the end goes on from there.
    const last = rows.count - 1
    const height = (rows.rowOf(rows.count) - rows.rowOf(last)) * rowHeight
    if (!follow && last >= 0) setPlace({ line: first + last, offset: height - geometry.height })
  }
  const heightOf = ({ line, offset }: Place): number => rows.rowOf(line - first) * rowHeight + offset
  const wanted = heightOf(place)
  const top = follow ? end : Math.max(0, exact ? Math.min(wanted, end) : wanted)

  const placeAt = (y: number): Place => {
    const line = rows.lineAt(Math.floor(y / rowHeight))
    return { line: first + line, offset: y - rows.rowOf(line) * rowHeight }
  }

  const placeNow = (element: HTMLElement): Place => {
    if (element.scrollTop <= 0) return placeAt(0)
    const drawn = block.current
    // Wrapped lines are where they are drawn: their heights are known late, and to a row at best. Where the range is
    // scaled, a finger moves the text as far as itself; only a longer way is one on the bar.
    const y = drawn && (wrap || scaled || !windowed) ? below(element, drawn) : -1
    if (drawn && y >= 0 && y < drawn.offsetHeight) {
      const row = rowAt(drawn, y)
      return { line: lineOf(row), offset: y - (row?.offsetTop ?? 0) }
    }
    return placeAt(windowed ? topOf(geometry, element.scrollTop) : element.scrollTop)
  }

  /**
   * The place is where the scroll bar is now. `known` tells more than the bar can: what is to stay where it is when
   * lines turn out to be higher than they were taken for.
   */
  const settle = (known?: Place): void => {
    const element = scroller.current
    if (!element) return
    barAt.current = element.scrollTop
    lastTop.current = element.scrollTop
    setFollowed(false)
    setScrolling(false)
    setPlace(known ?? placeNow(element))
  }

  /** The reader has moved the bar, and may go on. */
  const scrolled = (): void => {
    settle()
    setScrolling('onscrollend' in window)
  }
  const stopped = (): void => setScrolling(false)

  /** Moves the text, and the bar after it. */
  const moveBy = (pixels: number): void => {
    setScrolling(false)
    setPlace((from) => placeAt(Math.max(0, Math.min(heightOf(from) + pixels, end))))
  }

  /** Puts the bar to where the place is now, or to the end. */
  const moveBar = (element: HTMLElement): void => {
    const range = element.scrollHeight - element.clientHeight
    if (follow) {
      element.scrollTo(element.scrollLeft, range)
      barAt.current = element.scrollTop
      lastTop.current = element.scrollTop
      return
    }
    // A range that has become shorter moves the bar; what else did was the reader, of whom an event will tell.
    const moved = element.scrollTop - Math.min(barAt.current, range)
    const row = windowed ? undefined : block.current?.querySelector<HTMLElement>(`[data-line="${place.line}"]`)
    const bar = windowed ? scrollTopOf(geometry, top) : row ? row.offsetTop + place.offset : barAt.current
    const stays = scrolling && windowed && (wrap || scaled)
    // While the heights are not known the place has no place on the bar, and the bar stays.
    if (exact && !stays && Math.abs(bar - barAt.current) > 1) element.scrollTo(element.scrollLeft, bar + moved)
    else if (barAt.current <= range) return
    barAt.current = element.scrollTop - moved
    lastTop.current = barAt.current
  }

  /** Moves the drawn lines until the line of the place is in its place: their heights may not be what they should. */
  const moveLines = (element: HTMLElement, drawn: HTMLElement): void => {
    const row = drawn.querySelector<HTMLElement>(`[data-line="${place.line}"]`)
    const off = row ? below(element, row) - place.offset - (element.scrollTop - barAt.current) : 0
    if (Math.abs(off) < 1) return
    drawn.style.setProperty('translate', `0 ${off}px`)
    areMoved.current = true
  }

  // Before the browser paints.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (areMoved.current) block.current?.style.removeProperty('translate')
    areMoved.current = false
    moveBar(element)
    // At the end the last line has its place.
    const atEnd = follow || (exact && wanted > end)
    if (block.current && windowed && (wrap || scaled) && !atEnd) moveLines(element, block.current)
  })

  return { top, end, lastTop, settle, scrolled, stopped, moveBy }
}
