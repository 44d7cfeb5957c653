import type { Style } from './style.ts'

/** A stretch of text with one look. */
export interface Segment {
  text: string
  style: Style
  href: string | undefined
}
