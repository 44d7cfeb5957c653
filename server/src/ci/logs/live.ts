import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Line } from '@flightdeck/api'
import { encodeRows, decodeRows, findEnd, readRows } from './rows.ts'

/** Readers get lines at most this much later (architecture.md "events"). */
const batchMilliseconds = 20
const megabyte = 1024 * 1024
/** How much a reader that lags takes from the file at a time: its memory does not depend on the log's length. */
const readSize = 256 * 1024
/** Bytes of decoded rows kept for the readers that are up to date, so that they all share one decoding. */
const tailSize = 256 * 1024

interface Batch {
  from: number
  to: number
  lines: readonly Line[]
}

/** One log while it is written. Readers hold nothing but an offset into its file. */
export interface LiveLog {
  append(lines: readonly Line[]): Promise<void>
  /** Writes the closing bracket; readers end when they have everything. */
  finish(): Promise<void>
  /** Ends without a bracket, for a log that is thrown away. */
  abandon(): Promise<void>
  follow(signal: AbortSignal): AsyncIterable<readonly Line[]>
  /** How many follow. */
  readers(): number
}

export async function openLive(path: string, limit: number): Promise<LiveLog> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a+', 0o600)
  await file.close()
  const opened = await open(path, 'r+')
  try {
    return await createLive(opened, limit)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function createLive(file: FileHandle, limit: number): Promise<LiveLog> {
  /** Bytes of whole rows that are in the file. Only these are ever shown. */
  let written = (await findEnd(file)).end
  await file.truncate(written)
  let full = false
  let done = false
  let work: Promise<unknown> = Promise.resolve()
  let readers = 0
  let tail: Batch[] = []
  let timer: NodeJS.Timeout | undefined
  let announced = written
  const waiting = new Set<() => void>()

  const wake = () => {
    clearTimeout(timer)
    timer = undefined
    announced = written
    for (const resume of waiting) resume()
    waiting.clear()
  }
  const inOrder = <T>(task: () => Promise<T>): Promise<T> => {
    const result = work.then(task)
    work = result.catch(() => {})
    return result
  }
  const closeUnused = async () => {
    if (done && readers === 0) await file.close()
  }

  async function write(lines: readonly Line[], bytes: Buffer): Promise<void> {
    // At a fixed position, so that what a failed write left behind is overwritten by the next one.
    for (let filled = 0; filled < bytes.length;) {
      filled += (await file.write(bytes, filled, bytes.length - filled, written + filled)).bytesWritten
    }
    tail.push({ from: written, to: written + bytes.length, lines })
    written += bytes.length
    while (tail.length > 1 && written - (tail[0]?.from ?? 0) > tailSize) tail.shift()
    timer ??= setTimeout(wake, batchMilliseconds)
  }

  async function next(from: number): Promise<Batch> {
    const start = tail.findIndex((batch) => batch.from === from)
    if (start !== -1) {
      const batches = tail.slice(start).filter((batch) => batch.to <= announced)
      const last = batches.at(-1)
      if (last) return { from, to: last.to, lines: batches.flatMap((batch) => batch.lines) }
    }
    const bytes = await readRows(file, from, announced, readSize)
    return { from, to: from + bytes.length, lines: decodeRows(bytes) }
  }

  async function* read(signal: AbortSignal, release: () => Promise<void>): AsyncGenerator<readonly Line[]> {
    try {
      let offset = 0
      while (!signal.aborted) {
        if (offset < announced) {
          const batch = await next(offset)
          offset = batch.to
          yield batch.lines
        } else if (done) return
        else {
          await new Promise<void>((resume) => {
            const stop = () => {
              signal.removeEventListener('abort', stop)
              waiting.delete(stop)
              resume()
            }
            signal.addEventListener('abort', stop)
            waiting.add(stop)
          })
        }
      }
    } finally {
      await release()
    }
  }

  return {
    readers: () => readers,
    append: (lines) =>
      inOrder(async () => {
        if (full || lines.length === 0) return
        const bytes = encodeRows(lines, written)
        if (written + bytes.length <= limit) return write(lines, bytes)
        full = true
        const ended = endAt(lines, written, limit)
        return write(ended, encodeRows(ended, written))
      }),
    finish: () =>
      inOrder(async () => {
        try {
          await file.write(written === 0 ? '[]' : ']', written)
        } finally {
          // On a full disk, too, readers are not left waiting.
          done = true
          tail = []
          wake()
          await closeUnused()
        }
      }),
    abandon: () =>
      inOrder(async () => {
        done = true
        wake()
        await closeUnused()
      }),
    follow(signal) {
      // Counted at once, not at the first read: the file must stay open for a reader that starts late.
      readers += 1
      let holding = true
      const release = async () => {
        if (!holding) return
        holding = false
        readers -= 1
        await closeUnused()
      }
      const lines = read(signal, release)
      // A generator that nobody ever started has no end of its own.
      let started = false
      const leave = () => void (started || release().catch(console.error))
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave)
      return {
        [Symbol.asyncIterator]() {
          started = true
          return lines
        },
      }
    },
  }
}

/** Those of `lines` that fit into a file of `limit` bytes that has `written`, and one more that says why it ends. */
function endAt(lines: readonly Line[], written: number, limit: number): Line[] {
  let end = written
  const index = lines.findIndex((line) => (end += encodeRows([line], end).length) > limit)
  const told = limit % megabyte === 0 ? `${limit / megabyte} MB (--log-limit)` : `${limit} bytes`
  const out = `\n[the log of this step ends here: it has reached its limit of ${told}]\n`
  return lines.slice(0, index + 1).map((line, i) => (i === index ? { ...line, out } : line))
}
