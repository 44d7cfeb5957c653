import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { createBulkQueue } from '../lib/event-loop.ts'
import { Refusal } from '../lib/refusal.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import { whenMissing } from '../lib/when-missing.ts'
import type { SavedLog } from '../interfaces/logs.ts'

/** `logs/<id/1000>/<id>.json`: a thousand steps per folder keeps listings short. */
export const logPath = (folder: string, stepId: number): string =>
  join(folder, String(Math.floor(stepId / 1000)), `${stepId}.json`)

/** Bytes of one read. A stalled reader holds a few of these chunks in memory. */
const pieceBytes = 32 * 1024

/**
 * Logs of at most this many bytes are compressed in memory: most are small, and a stream costs
 * more.
 */
const maxInMemoryBytes = 64 * 1024

/**
 * Compresses a finished file to `.gz` and removes it. A crash in between leaves at least one whole
 * file.
 */
export async function compress(path: string): Promise<void> {
  const unfinished = `${path}.gz.tmp`
  try {
    if ((await stat(path)).size <= maxInMemoryBytes) {
      await writeFile(unfinished, await promisify(gzip)(await readFile(path)), { mode: 0o600, flush: true })
    } else
      await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    await rename(unfinished, `${path}.gz`)
    // Sync before the plain file is removed, so that a power loss leaves one of them.
    await syncFolder(dirname(path))
  } catch (error) {
    // Free its space: the disk may be full.
    await rm(unfinished, { force: true })
    throw error
  }
  // Not `rm`, which stats the path first.
  await unlink(path).catch(() => rm(path, { force: true }))
}

/** Refuses content of more than `limit` bytes as soon as they arrive. */
async function* limited(content: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > limit) throw new Refusal(413, `The log is too large: at most ${limit} bytes are accepted`)
    yield chunk
  }
}

/** Compresses `content` into a new temporary file, and returns its path. */
export async function receive(path: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const unfinished = `${path}.gz.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await pipeline(limited(content, limit), createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    return unfinished
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/**
 * Hard-links a log, which takes no space. Does nothing if the log has no file or the file system
 * has no hard links.
 */
export async function shareFile(from: string, to: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await link(from, to)
  } catch {
    // Readers use the original.
  }
}

/** The content of a log whose final bytes are not written yet. */
export interface Unfinished {
  /** Bytes of the file. */
  size: number
  /** Text that follows these bytes. */
  end: string
}

/**
 * Limits concurrent opens: thousands that complete in one turn of the event loop would make that
 * turn long.
 */
const opening = createBulkQueue()

async function openWithSize(path: string, unfinished?: Unfinished) {
  const file = await open(path, 'r').catch(whenMissing(null))
  if (!file) return null
  try {
    return { file, size: unfinished?.size ?? (await file.stat()).size }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Streams a file on demand; `null` if it does not exist. */
export async function openSaved(
  path: string,
  encoding: SavedLog['encoding'],
  unfinished?: Unfinished,
): Promise<SavedLog | null> {
  const opened = await opening.run(pieceBytes, () => openWithSize(path, unfinished))
  if (!opened) return null
  const { file, size } = opened
  const end = Buffer.from(unfinished?.end ?? '')
  let at = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = Buffer.allocUnsafeSlow(pieceBytes)
        try {
          const { bytesRead } = await file.read(bytes, 0, Math.min(bytes.length, size - at), at)
          at += bytesRead
          if (bytesRead > 0) return controller.enqueue(new Uint8Array(bytes.buffer, bytes.byteOffset, bytesRead))
        } catch (error) {
          await file.close()
          throw error
        }
        await file.close()
        if (end.length > 0) controller.enqueue(new Uint8Array(end))
        controller.close()
      },
      async cancel() {
        await file.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, encoding, size: size + end.length }
}

/**
 * Paths of all plain files below the log folder (the unfinished logs), and of half-written
 * compressed ones.
 */
export async function listUnfinished(folder: string): Promise<{ plain: string[]; broken: string[] }> {
  const entries = await readdir(folder, { recursive: true }).catch(whenMissing<string[]>([]))
  const paths = entries.map((entry) => join(folder, entry))
  return {
    plain: paths.filter((path) => path.endsWith('.json')),
    broken: paths.filter((path) => path.endsWith('.tmp')),
  }
}
