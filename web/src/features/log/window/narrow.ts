import type { LineView } from '../engine/view.ts'

/** Each of these characters takes one column, in every font that the console can have. */
const onlyAscii = /^[\x20-\x7e]*$/

/**
 * Whether a line certainly fits into so many columns, with only its number and its time beside it.
 */
export const isNarrow = ({ parts, cut, group }: LineView, columns: number): boolean => {
  if (cut > 0 || group) return false
  let length = 0
  for (const { text } of parts) {
    length += text.length
    if (length > columns || !onlyAscii.test(text)) return false
  }
  return true
}
