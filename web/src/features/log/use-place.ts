import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

import { rowHeight, scrollTopOf, topOf, type Geometry, type Rows } from '../../lib/log/viewport.ts'

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

/**
 * Where the reader is, as a place in the text and not on the scroll bar: lines that come in above or below, folding and
 * a scroll range that is scaled otherwise all leave it where it is.
 */
export const usePlace = ({ scroller, block, rows, geometry, first, windowed, follow }: PlaceOptions) => {
  const [place, setPlace] = useState<Place>({ line: 0, offset: 0 })
  /** Where the scroll bar stood for this place. */
  const barAt = useRef(0)
  /** Where the scroll bar was put or seen last; what differs from it is the reader's own move. */
  const lastTop = useRef(0)

  // Lines that are not shown any more, or not yet: the reader is at the first one that is.
  if (place.line < first) setPlace({ line: first, offset: 0 })
  const top = Math.max(0, rows.rowOf(place.line - first) * rowHeight + place.offset)

  const placeOf = (y: number): Place => {
    if (windowed || !block.current) {
      const line = rows.lineAt(Math.floor(y / rowHeight))
      return { line: first + line, offset: y - rows.rowOf(line) * rowHeight }
    }
    const row = rowAt(block.current, y)
    return { line: lineOf(row), offset: y - (row?.offsetTop ?? 0) }
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
    setPlace(known ?? placeOf(windowed ? topOf(geometry, element.scrollTop) : element.scrollTop))
  }

  // The bar goes to where the place is now. What the reader moved it meanwhile is kept.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || follow) return
    const row = block.current?.querySelector<HTMLElement>(`[data-line="${place.line}"]`)
    const wanted = windowed ? scrollTopOf(geometry, top) : row ? row.offsetTop + place.offset : barAt.current
    if (Math.abs(wanted - barAt.current) <= 1) return
    element.scrollBy(0, wanted - barAt.current)
    barAt.current = wanted
    lastTop.current = element.scrollTop
  })

  return { top, lastTop, settle }
}
