/** The number of screen rows of a line that is wrapped at a number of columns. */
import { plainText } from './ansi/index.ts'
import { asciiRuns } from './ascii.ts'
import type { LogModel } from './model.ts'
import { maxLineChars } from './view.ts'

const tabWidth = 8

/** Characters that take two columns in a monospaced font: East Asian wide ones and emoji. */
const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0x1f300 && code <= 0x1faff)

export const columnsOf = (text: string): number => {
  let columns = 0
  for (const char of text) {
    if (char === '\t') columns += tabWidth - (columns % tabWidth)
    else columns += isWide(char.codePointAt(0) ?? 0) ? 2 : 1
  }
  return columns
}

/** The columns of a line with only printable ASCII and colors; undefined for all others. */
export const asciiColumns = (bytes: Uint8Array): number | undefined => {
  let columns = 0
  const isSimple = asciiRuns(bytes, (from, to) => (columns += to - from))
  return isSimple ? columns : undefined
}

/** At least one row for each line from `from` on. */
export const wrappedRows = (model: LogModel, from: number, columns: number): Uint16Array<ArrayBuffer> => {
  const rows = new Uint16Array(Math.max(0, model.lines - from)).fill(1)
  for (let i = 0; i < rows.length; i++) {
    // No character takes more columns than a tab, so short lines need not be measured.
    if (model.lengthInBytes(from + i) * tabWidth <= columns) continue
    // Nearly all lines are of the simple kind, and a million of them must not delay the worker's
    // responses.
    const found = asciiColumns(model.bytesOf(from + i)) ?? columnsOf(plainText(model.text(from + i)))
    const width = Math.min(found, maxLineChars + 80)
    rows[i] = Math.max(1, Math.ceil(width / columns))
  }
  return rows
}
