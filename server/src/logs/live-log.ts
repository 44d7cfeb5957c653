import { constants } from 'node:fs'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { endOfLog, type Line } from '@flightdeck/api'
import { decodeRows, encodeRows, type Appended, type LogRows } from '../lib/log-rows.ts'
import { isPassing, type Writes } from '../store/writes.ts'
import { createLineReorderBuffer } from './line-reorder-buffer.ts'
import type { Unfinished } from './files.ts'
import { findEnd, nextPosition, readRows } from './saved-rows.ts'
import { yieldForBulk } from '../lib/event-loop.ts'
import { errorMessage } from '../lib/error-message.ts'
import { withoutPaths } from '../lib/public-text.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import { logError } from '../lib/log.ts'

/** Readers get lines at most this much later (architecture.md "events"), */
const minBatchMs = 20
/** and this much for each reader, where they are more than 200: a batch is written once to each. */
const batchMsPerReader = 0.1
/**
 * How long lines that arrive early wait for the missing lines before them: batches arrive every
 * second.
 */
const gapMs = 2_500
/**
 * How much a reader that lags takes from the file at a time: its memory does not depend on the
 * log's length.
 */
const readSize = 32 * 1024
/** Bytes of recent rows in memory, which readers that are up to date share. */
const tailSize = 64 * 1024

export interface LiveOptions {
  /** Bytes. */
  limit: number
  writes: Writes
  /** How long to wait for missing lines, in milliseconds. */
  timeoutMs: number
}

/** Lines that could not be written. */
interface Lost {
  lines: number
  /** The first lost line: the notice takes its position. */
  first: Pick<Line, 'pos' | 'time'>
  reason: string
}

interface Batch {
  from: number
  to: number
  bytes: Uint8Array
}

/** One log while it is written. A reader's only state is an offset into its file. */
export interface LiveLog {
  /** Retries lines that cannot be written for a while; then drops them, and the log says so. */
  append(lines: readonly Line[] | LogRows): Promise<Appended>
  /** Resolves when all lines so far are synced to the disk. */
  sync(): Promise<void>
  /**
   * Writes the closing bracket; readers end when they have everything. May be repeated until it
   * succeeds.
   */
  finish(): Promise<void>
  /** The bytes that the file holds, and the text that should follow them. */
  unfinished(): Unfinished
  /** Ends without a bracket, for a log that is discarded. */
  abandon(): Promise<void>
  follow(signal: AbortSignal): AsyncIterable<Uint8Array>
  /** How many follow. */
  readers(): number
}

export async function openLive(path: string, options: LiveOptions): Promise<LiveLog> {
  const make = () => open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  const opened = await make().catch(async (error: NodeJS.ErrnoException) => {
    // The first of its thousand.
    if (error.code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return make()
  })
  try {
    return await createLive(opened, path, options)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function createLive(file: FileHandle, path: string, { limit, writes, timeoutMs }: LiveOptions): Promise<LiveLog> {
  /** Bytes of whole rows that are in the file. Only these are ever shown. */
  let written = (await findEnd(file)).end
  await file.truncate(written)
  const arrivals = createLineReorderBuffer(await nextPosition(file, written))
  let gap: NodeJS.Timeout | undefined
  let full = false
  let done = false
  /** The closing bracket is written, or will never be. */
  let finished = false
  let lost: Lost | undefined
  const ending = new AbortController()
  let work: Promise<unknown> = Promise.resolve()
  let readers = 0
  /** The next batch for up-to-date readers, who share it: it is encoded once. */
  let tail: Batch[] = []
  /** Written, but not announced yet. */
  let unannounced: Uint8Array[] = []
  let timer: NodeJS.Timeout | undefined
  let announced = written
  let announcedAt = -Infinity
  const waiting = new Set<() => void>()

  const wake = () => {
    clearTimeout(timer)
    timer = undefined
    if (unannounced.length > 0) tail.push({ from: announced, to: written, bytes: oneOf(unannounced) })
    while (tail.length > 1 && written - (tail[0]?.from ?? 0) > tailSize) tail.shift()
    unannounced = []
    announced = written
    announcedAt = performance.now()
    for (const resume of waiting) resume()
    waiting.clear()
  }
  const inOrder = <T>(task: () => Promise<T>): Promise<T> => {
    const result = work.then(task)
    work = result.catch(() => {})
    return result
  }
  const closeUnused = async () => {
    if (finished && readers === 0) await file.close()
  }

  async function write(bytes: Uint8Array): Promise<void> {
    // Write at a fixed position, so that the next write overwrites the remains of a failed one.
    for (let filled = 0; filled < bytes.length;) {
      filled += (await file.write(bytes, filled, bytes.length - filled, written + filled)).bytesWritten
    }
    unannounced.push(bytes)
    written += bytes.length
    if (written - announced > tailSize) return wake()
    // Lines after a pause are published at once.
    timer ??= setTimeout(
      wake,
      Math.max(0, announcedAt + Math.max(minBatchMs, readers * batchMsPerReader) - performance.now()),
    )
  }

  /** As many rows as the limit allows. */
  async function writeSome(rows: LogRows): Promise<void> {
    if (full) return
    const bytes = written === 0 ? asFirst(rows.bytes) : rows.bytes
    if (written + bytes.length <= limit) return write(bytes)
    await write(endAt(bytes, limit - written, limit))
    full = true
  }

  /** Writes a notice first if lines were lost. */
  async function writeAll(rows: LogRows | undefined): Promise<void> {
    if (lost) await writeSome(encodeRows([noticeOf(lost)]))
    lost = undefined
    if (rows) await writeSome(rows)
  }

  async function append(rows: LogRows | undefined): Promise<void> {
    if (full || !rows) return
    try {
      // Wait only once: after a loss the step is not delayed again.
      const limits = { timeoutMs: lost ? 0 : timeoutMs, signal: ending.signal }
      await writes.retryWithBackoff('a log', () => writeAll(rows), limits)
    } catch (error) {
      if (!isPassing(error)) throw error
      const reason = withoutPaths(errorMessage(error))
      lost = { lines: (lost?.lines ?? 0) + rows.count, first: lost?.first ?? rows, reason }
    }
  }

  /** Stops waiting for missing lines. */
  async function stopWaiting(): Promise<void> {
    clearTimeout(gap)
    gap = undefined
    await append(await rowsOf(arrivals.giveUp()))
  }

  async function arrive(lines: readonly Line[] | LogRows): Promise<void> {
    // Fast path for the built-in runner, which always sends lines in order: nothing is parsed.
    if ('bytes' in lines)
      await append(arrivals.pass(lines) ? lines : await rowsOf(arrivals.take(decodeRows(lines.bytes))))
    else await append(await rowsOf(arrivals.take(lines)))
    if (!arrivals.holds) {
      clearTimeout(gap)
      gap = undefined
    } else if (gap === undefined) {
      gap = setTimeout(() => {
        inOrder(stopWaiting).catch((error: unknown) => logError('Lines of a log could not be stored', error))
      }, gapMs)
      gap.unref()
    }
  }

  async function next(from: number): Promise<Batch> {
    // Search from the end: most readers are up to date, and a slow log has thousands of small
    // batches.
    const shared = tail.findLast((batch) => batch.from === from)
    if (shared) return shared
    const bytes = await readRows(file, from, announced, readSize)
    return { from, to: from + bytes.length, bytes }
  }

  async function* read(signal: AbortSignal, release: () => Promise<void>): AsyncGenerator<Uint8Array> {
    let resume = () => {}
    // One listener per reader, not per wait: a reader waits fifty times a second.
    const leave = () => resume()
    signal.addEventListener('abort', leave)
    try {
      let offset = 0
      while (!signal.aborted) {
        if (offset < announced) {
          const batch = await next(offset)
          offset = batch.to
          yield batch.bytes
        } else if (done) return
        else {
          await new Promise<void>((resolve) => {
            resume = resolve
            waiting.add(resolve)
          })
        }
      }
    } finally {
      waiting.delete(resume)
      signal.removeEventListener('abort', leave)
      await release()
    }
  }

  return {
    readers: () => readers,
    append: (lines) =>
      inOrder(async () => {
        if (!full) await arrive(lines)
        return { full }
      }),
    sync: () =>
      inOrder(async () => {
        if (finished) return
        await stopWaiting()
        await file.datasync()
        await restoreDeleted(file, path)
        await syncFolder(dirname(path))
      }),
    finish() {
      ending.abort()
      return inOrder(async () => {
        if (finished) return
        try {
          await stopWaiting()
          if (lost) await writeAll(undefined)
          // Remains of a failed write.
          await file.truncate(written)
          await file.write(endOf(written), written)
          await restoreDeleted(file, path)
          finished = true
        } finally {
          // End the readers even if the disk is full.
          done = true
          wake()
          tail = []
          await closeUnused()
        }
      })
    },
    unfinished: () => ({ size: written, end: endOf(written) }),
    abandon() {
      ending.abort()
      return inOrder(async () => {
        if (finished) return
        clearTimeout(gap)
        done = true
        finished = true
        wake()
        await closeUnused()
      })
    },
    follow(signal) {
      // Count the reader now, not at its first read: the file must stay open for a reader that
      // starts late.
      readers += 1
      let holding = true
      const release = async () => {
        if (!holding) return
        holding = false
        readers -= 1
        await closeUnused()
      }
      const lines = read(signal, release)
      // A generator that was never started does not run its `finally`.
      const leave = () => void release().catch((error: unknown) => logError('A log file could not be closed', error))
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave)
      return {
        [Symbol.asyncIterator]() {
          signal.removeEventListener('abort', leave)
          return lines
        },
      }
    },
  }
}

/**
 * Restores a log that was deleted or moved while it was written, from the file that is still open.
 */
async function restoreDeleted(file: FileHandle, path: string): Promise<void> {
  const { dev, ino, size } = await file.stat()
  const present = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (present?.dev === dev && present.ino === ino) return
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.tmp`
  try {
    const copy = await open(unfinished, 'w', 0o600)
    try {
      const bytes = Buffer.allocUnsafeSlow(readSize)
      for (let at = 0; at < size;) {
        const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
        if (bytesRead === 0) break
        await copy.writeFile(bytes.subarray(0, bytesRead))
        at += bytesRead
      }
      await copy.datasync()
    } finally {
      await copy.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

const endOf = (written: number): string => (written === 0 ? '[]' : ']')

function noticeOf({ lines, first, reason }: Lost): Line {
  const what =
    lines === 1
      ? '1 line of this log could not be written and is'
      : `${lines} lines of this log could not be written and are`
  const out = `\n[${what} lost: ${reason}]\n`
  // The time at which it was written is unknown.
  return { pos: first.pos, time: first.time, out }
}

/**
 * Yields before it encodes a batch, because many runners that send logs must not delay other calls.
 */
async function rowsOf(lines: readonly Line[]): Promise<LogRows | undefined> {
  if (lines.length === 0) return undefined
  await yieldForBulk(lines.reduce((length, { out }) => length + out.length, 0))
  return encodeRows(lines)
}

const oneOf = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat(pieces)
}

const lineFeed = 0x0a
const opening = 0x5b

/** The first row of a file starts with `[` instead of a line feed and a comma. */
function asFirst(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice(1)
  copy[0] = opening
  return copy
}

/**
 * The rows that fit into `room` bytes, and one more that says why the log ends after `limit` bytes.
 */
function endAt(bytes: Uint8Array, room: number, limit: number): Uint8Array {
  // The last boundary between two rows, or 0.
  const cut = Math.max(0, bytes.lastIndexOf(lineFeed, room))
  const next = bytes.indexOf(lineFeed, cut + 1)
  const [row] = decodeRows(bytes.subarray(cut, next === -1 ? bytes.length : next))
  if (!row) return bytes.subarray(0, cut)
  const { bytes: last } = encodeRows([{ ...row, out: endOfLog(limit) }])
  return Buffer.concat([bytes.subarray(0, cut), bytes[cut] === opening ? asFirst(last) : last])
}
