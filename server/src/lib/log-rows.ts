/**
 * Rows of a log file, encoded once and never parsed again on their way into the file and to the
 * readers of a live log. The format: `[{…}`, then `\n,{…}` per row, `]` at the end (architecture.md
 * "logs"). JSON contains no raw line feed, so `\n,` is always the boundary between two rows.
 */
import type { Line } from '@flightdeck/api'

/** One row or more, in the order of their positions and without a gap. */
export interface LogRows {
  /** Each row starts with `\n,`, even the first of a file. */
  bytes: Uint8Array<ArrayBuffer>
  count: number
  /** Of the first row, as in `Line`. */
  pos: number
  time: number
}

/** Whether a log takes more lines. */
export interface Appended {
  /** The limit is reached: further lines are dropped, so callers need not encode rows. */
  full: boolean
}

const escapes = [
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
] as const

/**
 * In UTF-16 code units. Escaping a runner's line of 8 MB would take a second, and the escapes are
 * only a convenience for clients.
 */
const maxEscapedLength = 64 * 1024

/**
 * Encoded like Go's encoder, so that the file has the bytes that a real server streams (docs/api
 * §4.3).
 */
export function encodeRow({ pos, out, time, tenth, began }: Line): string {
  let row = `\n,${JSON.stringify({ pos, out, time, tenth, began })}`
  if (out.length <= maxEscapedLength && /[<>&\u2028\u2029]/.test(out))
    for (const [from, to] of escapes) row = row.replaceAll(from, to)
  return row
}

/** At least one line. */
export function encodeRows(lines: readonly Line[]): LogRows {
  let text = ''
  for (const line of lines) text += encodeRow(line)
  const [first] = lines
  return { bytes: new TextEncoder().encode(text), count: lines.length, pos: first?.pos ?? 0, time: first?.time ?? 0 }
}

/** Rows that start with `[` or `\n,` and end at a row's end. */
export function decodeRows(bytes: Uint8Array): Line[] {
  const text = new TextDecoder().decode(bytes).replace(/^\n/, '')
  if (text === '') return []
  return text.split('\n').map((row) => {
    const line: Line = JSON.parse(row.slice(1))
    return line
  })
}
