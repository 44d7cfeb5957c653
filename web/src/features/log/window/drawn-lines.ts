/**
 * The actual positions of rendered lines: the heights of wrapped lines are known late, and only
 * approximately.
 */
import { binarySearch } from '../../../lib/binary-search.ts'
import type { ScrollPosition } from '../reading/scroll-position.ts'

const lineOf = (row: Element | undefined): number => Number(row?.getAttribute('data-line') ?? 0)

export const rowOfLine = (within: HTMLElement, line: number): HTMLElement | null =>
  within.querySelector<HTMLElement>(`[data-line="${line}"]`)

/** The rendered row at a height, by binary search: rows of wrapped lines have different heights. */
const rowAt = (block: HTMLElement, y: number): HTMLElement | undefined => {
  const rows = block.children
  const next = binarySearch(rows.length, (index) => (rows[index] as HTMLElement).offsetTop > y)
  return rows[Math.max(0, next - 1)] as HTMLElement | undefined
}

/** The distance of the top of the viewport below the top of an element in it. */
export const below = (scroller: HTMLElement, element: HTMLElement): number =>
  scroller.getBoundingClientRect().top - element.getBoundingClientRect().top

/** Whether all of an element is in the viewport. */
export const isWithin = (scroller: HTMLElement, element: HTMLElement): boolean => {
  const [outer, inner] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()]
  return inner.top >= outer.top && inner.bottom <= outer.bottom
}

/** The position at the top of the viewport, if a line is rendered there. */
export const drawnPlace = (scroller: HTMLElement, block: HTMLElement): ScrollPosition | undefined => {
  const y = below(scroller, block)
  if (y < 0 || y >= block.offsetHeight) return undefined
  const row = rowAt(block, y)
  return { line: lineOf(row), offset: y - (row?.offsetTop ?? 0) }
}
