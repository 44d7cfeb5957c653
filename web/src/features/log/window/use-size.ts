import { useState, type RefObject } from 'react'

import { useResize } from '../../../browser/use-resize.ts'

export interface Size {
  /** The inner height of the element. */
  height: number
  /** The number of characters that fit into a line's text; 0 while unknown. */
  columns: number
}

/** The width of a character in the console's font, measured on a long text. */
const characterWidth = (element: HTMLElement): number => {
  const probe = document.createElement('span')
  probe.textContent = 'x'.repeat(100)
  probe.style.cssText = 'position:absolute;visibility:hidden;white-space:pre'
  element.append(probe)
  const { width } = probe.getBoundingClientRect()
  probe.remove()
  return width / 100
}

const columnsOf = (element: HTMLElement): number => {
  const text = element.querySelector('[data-text]')
  const width = characterWidth(element)
  if (!text || width === 0) return 0
  // A row can be wider than the viewport.
  const beyond = Math.max(0, (text.parentElement?.offsetWidth ?? 0) - element.clientWidth)
  const inner = text.clientWidth - beyond - Number.parseFloat(getComputedStyle(text).paddingLeft)
  return Math.max(10, Math.floor(inner / width))
}

/**
 * The size of the log's viewport. `layout` changes when rows get a new width, or render for the
 * first time.
 */
export const useSize = (ref: RefObject<HTMLElement | null>, layout: string): Size => {
  const [size, setSize] = useState<Size>({ height: 600, columns: 0 })
  const measure = (element: HTMLElement) => {
    const next = { height: element.clientHeight, columns: columnsOf(element) }
    setSize((before) => (before.height === next.height && before.columns === next.columns ? before : next))
  }
  useResize(ref, measure, { layout, sameFrame: true })
  return size
}
