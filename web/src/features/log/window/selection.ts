/** A piece of a log between two places, as the clipboard gets it. */
export interface TextPosition {
  line: number
  /** Characters into what is read of the line. */
  column: number
}

export const before = (a: TextPosition, b: TextPosition): boolean =>
  a.line < b.line || (a.line === b.line && a.column < b.column)

/** Cuts the text of whole lines, joined by line ends, down to what is selected. */
export const cutToSelection = (lines: string, from: TextPosition, to: TextPosition): string => {
  const lastStart = lines.lastIndexOf('\n') + 1
  const end = from.line === to.line ? to.column : lastStart + to.column
  return lines.slice(from.column, Math.max(from.column, end))
}
