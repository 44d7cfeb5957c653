import type { Style } from './style.ts'

/** A part of a line with one style. */
export interface Segment {
  text: string
  style: Style
  href: string | undefined
}
