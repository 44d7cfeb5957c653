/** The entries of a log file, in batches. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Line } from '@flightdeck/api'
import { whenMissing } from '../../lib/when-missing.ts'
import { createRowCutter } from '../row-reader.ts'

const lineFeed = 0x0a
const pieceBytes = 256 * 1024
/** Maximum bytes of a row that this server writes; a longer row comes from another program. */
const maxRowBytes = 1024 * 1024

/** The range of a JavaScript date, in Unix milliseconds. */
const latest = 8.64e15
const isWithin = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

/** Missing values and those of a wrong type get a default. */
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

/** Rows of this server's files, one per line: `[{…}` or `,{…}`, the last one followed by `]`. */
const ownRows = (text: string): Line[] | undefined => {
  if (text[0] !== '[' && text[0] !== ',') return undefined
  try {
    const rows: unknown = JSON.parse(`[${text.slice(1)}${text.endsWith(']') ? '' : ']'}`)
    return Array.isArray(rows) ? rows.map(toLine) : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses entries from chunks of bytes. Files of this server are parsed in batches of rows, all
 * others row by row.
 */
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
        return rest.length > maxRowBytes ? byRow(rest) : []
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

/** The decompressed bytes of the first of these files that exists; `null` if none does. */
export async function openFirst(paths: readonly string[]): Promise<AsyncIterable<Buffer> | null> {
  for (const path of paths) {
    // The plain file comes first: it exists until the compressed one is complete.
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
