/** A selected part of a log, as copied to the clipboard. */
export interface TextPosition {
  line: number
  /** The index in the visible text of the line. */
  column: number
}

export const before = (a: TextPosition, b: TextPosition): boolean =>
  a.line < b.line || (a.line === b.line && a.column < b.column)

/** Trims the text of whole lines, joined by newlines, to the selection. */
export const cutToSelection = (lines: string, from: TextPosition, to: TextPosition): string => {
  const lastStart = lines.lastIndexOf('\n') + 1
  const end = from.line === to.line ? to.column : lastStart + to.column
  return lines.slice(from.column, Math.max(from.column, end))
}
