/**
 * Rows in a log file (`log-rows.ts`): a line feed always separates two, and every prefix that ends
 * before one is whole.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Line } from '@flightdeck/api'

const lineFeed = 0x0a

function parseRow(row: string): Line {
  const line: Line = JSON.parse(row.slice(1))
  return line
}

/**
 * Bytes of the file from `from`, at most about `size` of them, cut at a row's end; more if one row
 * is longer.
 */
export async function readRows(file: FileHandle, from: number, end: number, size: number): Promise<Buffer> {
  for (let want = size; ; want *= 2) {
    const bytes = await readBytes(file, from, Math.min(end, from + want))
    if (from + bytes.length >= end) return bytes
    const cut = bytes.lastIndexOf(lineFeed)
    if (cut > 0) return bytes.subarray(0, cut)
  }
}

async function readBytes(file: FileHandle, from: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - from)
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled)
    if (bytesRead === 0) throw new Error('the log file is shorter than it was')
    filled += bytesRead
  }
  return bytes
}

/** Where the last whole row of an unfinished file ends, and whether `]` follows it. */
export async function findEnd(file: FileHandle): Promise<{ end: number; closed: boolean }> {
  const { size } = await file.stat()
  for (let end = size; end > 0;) {
    const start = await startOfRow(file, end)
    const row = (await readBytes(file, start, end)).toString('utf8').replace(/^\n/, '')
    if (isRow(row)) return { end, closed: false }
    if (row.endsWith(']') && (isRow(row.slice(0, -1)) || row === '[]')) {
      return { end: row === '[]' ? 0 : end - 1, closed: true }
    }
    end = start
  }
  return { end: 0, closed: false }
}

/** The position after that of the row that ends at `end`; 0 for an empty log. */
export async function nextPosition(file: FileHandle, end: number): Promise<number> {
  if (end === 0) return 0
  const row = (await readBytes(file, await startOfRow(file, end), end)).toString('utf8').replace(/^\n/, '')
  return parseRow(row).pos + 1
}

/** The offset of the line feed before the row that ends at `end`; 0 for the first row. */
async function startOfRow(file: FileHandle, end: number): Promise<number> {
  const block = 64 * 1024
  for (let from = end; from > 0;) {
    const next = Math.max(0, from - block)
    const at = (await readBytes(file, next, from)).lastIndexOf(lineFeed)
    if (at !== -1) return next + at
    from = next
  }
  return 0
}

function isRow(row: string): boolean {
  if (row[0] !== '[' && row[0] !== ',') return false
  try {
    return parseRow(row) !== null
  } catch {
    return false
  }
}
