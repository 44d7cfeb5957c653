/** Where drawn lines really stand: heights of wrapped lines are known late, and to a row at best. */
import type { Place } from './place.ts'

const lineOf = (row: Element | undefined): number => Number(row?.getAttribute('data-line') ?? 0)

export const rowOfLine = (within: HTMLElement, line: number): HTMLElement | null =>
  within.querySelector<HTMLElement>(`[data-line="${line}"]`)

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
export const below = (scroller: HTMLElement, element: HTMLElement): number =>
  scroller.getBoundingClientRect().top - element.getBoundingClientRect().top

/** The place at the window's upper edge, if a drawn line is there. */
export const drawnPlace = (scroller: HTMLElement, block: HTMLElement): Place | undefined => {
  const y = below(scroller, block)
  if (y < 0 || y >= block.offsetHeight) return undefined
  const row = rowAt(block, y)
  return { line: lineOf(row), offset: y - (row?.offsetTop ?? 0) }
}
