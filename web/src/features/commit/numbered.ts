/** The lines of a hunk with their numbers before and after. */
import type { Hunk } from '@flightdeck/api'

export interface NumberedLine {
  /** From 0, within the hunk. */
  at: number
  /** `note`: what git says of the line above. */
  kind: 'added' | 'deleted' | 'same' | 'note'
  before?: number
  after?: number
  text: string
  /** Bytes that are not shown. */
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
