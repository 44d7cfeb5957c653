/** The lines of a hunk with their numbers before and after. */
import type { Hunk } from '@flightdeck/api'

export interface NumberedLine {
  /** The index within the hunk, from 0. */
  at: number
  /** `note`: git's note about the line above. */
  kind: 'added' | 'deleted' | 'same' | 'note'
  before?: number
  after?: number
  text: string
  /** The number of bytes that are not shown. */
  more?: number
}

export const numbered = ({ old, new: now, lines, long = [] }: Hunk): NumberedLine[] => {
  const missing = new Map(long.map(({ at, more }) => [at, more]))
  let before = old
  let after = now
  return lines.map((line, index): NumberedLine => {
    const more = missing.get(index)
    const rest = { at: index, text: line.slice(1), ...(more !== undefined && { more }) }
    switch (line[0]) {
      case '+':
        return { kind: 'added', after: after++, ...rest }
      case '-':
        return { kind: 'deleted', before: before++, ...rest }
      case '\\':
        return { kind: 'note', ...rest }
      default:
        return { kind: 'same', before: before++, after: after++, ...rest }
    }
  })
}
