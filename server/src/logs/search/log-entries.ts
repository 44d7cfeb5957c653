/** The entries of a log file, in batches. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Line } from '@flightdeck/api'
import { whenMissing } from '../../lib/when-missing.ts'
import { createRowCutter } from '../row-reader.ts'

const lineFeed = 0x0a
const pieceBytes = 256 * 1024
/** The longest row that we write; without a line feed by then, another program wrote the file. */
const longestRow = 1024 * 1024

/** Unix milliseconds: what a date can hold. */
const latest = 8.64e15
const isWithin = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

/** What is missing or of the wrong kind gets a harmless value. */
const toLine = (row: unknown): Line => {
  const value: Partial<Record<keyof Line, unknown>> = typeof row === 'object' && row !== null ? row : {}
  return {
    pos: typeof value.pos === 'number' && value.pos >= 0 ? value.pos : 0,
    out: typeof value.out === 'string' ? value.out : '',
    time: typeof value.time === 'number' && value.time >= 0 ? value.time : 0,
    ...(isWithin(value.tenth, 9) && { tenth: value.tenth }),
    ...(isWithin(value.began, latest) && { began: value.began }),
  }
}

/** Rows of our own files, each on a line: `[{…}` or `,{…}`, the last one with `]` behind it. */
const ownRows = (text: string): Line[] | undefined => {
  if (text[0] !== '[' && text[0] !== ',') return undefined
  try {
    const rows: unknown = JSON.parse(`[${text.slice(1)}${text.endsWith(']') ? '' : ']'}`)
    return Array.isArray(rows) ? rows.map(toLine) : undefined
  } catch {
    return undefined
  }
}

/** Of bytes in pieces. Files of our own are parsed many rows at once, all others row by row. */
export function createEntryReader() {
  let rest: Buffer = Buffer.alloc(0)
  let cut: Line[] = []
  let cutter: ReturnType<typeof createRowCutter> | undefined

  const byRow = (bytes: Uint8Array): Line[] => {
    cutter ??= createRowCutter((row) => cut.push(toLine(row)))
    cutter.push(bytes)
    const entries = cut
    cut = []
    return entries
  }

  return {
    push(bytes: Buffer): Line[] {
      if (cutter) return byRow(bytes)
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      const end = all.lastIndexOf(lineFeed)
      if (end <= 0) {
        rest = all
        return rest.length > longestRow ? byRow(rest) : []
      }
      // The caller reuses the buffers it passes.
      rest = Buffer.from(all.subarray(end + 1))
      return ownRows(all.toString('utf8', 0, end)) ?? byRow(all)
    },
    end: (): Line[] => (cutter ? [] : (ownRows(rest.toString('utf8')) ?? byRow(rest))),
  }
}

const isThere = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r').catch(whenMissing(null))
  await file?.close()
  return file !== null
}

/** The bytes of the first of these files that is there, unpacked; `null` if none is. */
export async function openFirst(paths: readonly string[]): Promise<AsyncIterable<Buffer> | null> {
  for (const path of paths) {
    // In this order: the plain file exists until it has been compressed.
    if (await isThere(path)) return createReadStream(path, { highWaterMark: pieceBytes })
    const packed = `${path}.gz`
    if (await isThere(packed)) {
      const file = createReadStream(packed, { highWaterMark: pieceBytes })
      const unpacked = createGunzip({ chunkSize: pieceBytes })
      file.on('error', (error) => unpacked.destroy(error))
      return file.pipe(unpacked)
    }
  }
  return null
}
