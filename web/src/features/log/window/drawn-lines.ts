/** The actual positions of rendered lines: the heights of wrapped lines are known late, and only approximately. */
import { binarySearch } from '../../../lib/binary-search.ts'
import type { ScrollPosition } from '../reading/scroll-position.ts'

const lineOf = (row: Element | undefined): number => Number(row?.getAttribute('data-line') ?? 0)

export const rowOfLine = (within: HTMLElement, line: number): HTMLElement | null =>
  within.querySelector<HTMLElement>(`[data-line="${line}"]`)

/** The drawn row at a height, by halves: rows of wrapped lines have any height. */
const rowAt = (block: HTMLElement, y: number): HTMLElement | undefined => {
  const rows = block.children
  const next = binarySearch(rows.length, (index) => (rows[index] as HTMLElement).offsetTop > y)
  return rows[Math.max(0, next - 1)] as HTMLElement | undefined
}

/** How far the upper edge of the window is below that of an element in it. */
export const below = (scroller: HTMLElement, element: HTMLElement): number =>
  scroller.getBoundingClientRect().top - element.getBoundingClientRect().top

/** The position at the window's upper edge, if a drawn line is there. */
export const drawnPlace = (scroller: HTMLElement, block: HTMLElement): ScrollPosition | undefined => {
  const y = below(scroller, block)
  if (y < 0 || y >= block.offsetHeight) return undefined
  const row = rowAt(block, y)
  return { line: lineOf(row), offset: y - (row?.offsetTop ?? 0) }
}
