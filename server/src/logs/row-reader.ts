/**
 * Parses the lines of a saved log while its bytes arrive. Our own files have one row per line; a
 * runner's upload can be one line or indented. So rows are found by their braces.
 */

const [quote, backslash, open, close] = [0x22, 0x5c, 0x7b, 0x7d]
/** Maximum bytes of a row; a longer one is not a readable line. */
const maxRowBytes = 1024 * 1024

export interface RowReader {
  push: (bytes: Uint8Array) => void
}

/** `onRow` gets the content of each row and its index among all rows. Empty rows are skipped. */
export const createRowReader = (onRow: (out: string, pos: number) => void): RowReader =>
  createRowCutter((row) => {
    if (typeof row !== 'object' || row === null || !('out' in row) || typeof row.out !== 'string') return
    onRow(row.out, 'pos' in row && typeof row.pos === 'number' ? row.pos : 0)
  })

/** `onRow` gets each object, whatever its content. */
export function createRowCutter(onRow: (row: unknown) => void): RowReader {
  let chunks: Uint8Array[] = []
  let length = 0
  let depth = 0
  let inText = false
  let escaped = false

  const notify = (row: string): void => {
    let value: unknown
    try {
      value = JSON.parse(row)
    } catch {
      return
    }
    onRow(value)
  }
  const buffer = (bytes: Uint8Array): void => {
    length += bytes.length
    if (length <= maxRowBytes) chunks.push(bytes)
  }

  return {
    push(bytes) {
      let from = depth > 0 ? 0 : -1
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]
        if (inText) {
          if (escaped) escaped = false
          else if (byte === backslash) escaped = true
          else if (byte === quote) inText = false
        } else if (byte === quote) inText = depth > 0
        else if (byte === open) {
          if (depth === 0) from = at
          depth += 1
        } else if (byte === close && depth > 0) {
          depth -= 1
          if (depth > 0) continue
          buffer(bytes.subarray(from, at + 1))
          if (length <= maxRowBytes) notify(Buffer.concat(chunks).toString('utf8'))
          chunks = []
          length = 0
          from = -1
        }
      }
      // The caller reuses the buffers it passes.
      if (from >= 0) buffer(bytes.slice(from))
    },
  }
}
