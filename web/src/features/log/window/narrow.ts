import type { LineView } from '../engine/view.ts'

/** A character of these takes one column, in every face that the console may have. */
const onlyAscii = /^[\x20-\x7e]*$/

/** Whether a line surely ends within so many columns, with nothing but its number and its time beside it. */
export const isNarrow = ({ parts, cut, group }: LineView, columns: number): boolean => {
  if (cut > 0 || group) return false
  let length = 0
  for (const { text } of parts) {
    length += text.length
    if (length > columns || !onlyAscii.test(text)) return false
  }
  return true
}
