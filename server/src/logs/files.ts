import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { createBulkQueue } from '../lib/event-loop.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import type { SavedLog } from '../interfaces/logs.ts'

/** `logs/<id/1000>/<id>.json`: a thousand steps per folder keeps listings short. */
export const logPath = (folder: string, stepId: number): string =>
  join(folder, String(Math.floor(stepId / 1000)), `${stepId}.json`)

/** Bytes that are read at a time. A reader who stalls has a few of these pieces waiting for it. */
const pieceBytes = 32 * 1024

/** Bytes of a log that is compressed in one piece: most are small, and streams cost more than that. */
const atOnce = 64 * 1024

/** Compresses a finished file to `.gz` and removes it. Whoever dies in between leaves one whole file at least. */
export async function compress(path: string): Promise<void> {
  const unfinished = `${path}.gz.tmp`
  try {
    if ((await stat(path)).size <= atOnce) {
      await writeFile(unfinished, await promisify(gzip)(await readFile(path)), { mode: 0o600, flush: true })
    } else
      await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    await rename(unfinished, `${path}.gz`)
    // Before the plain file goes: a loss of power leaves one of them.
    await syncFolder(dirname(path))
  } catch (error) {
    // On a full disk it would take the last of the space.
    await rm(unfinished, { force: true })
    throw error
  }
  // Not `rm`, which looks first what it is.
  await unlink(path).catch(() => rm(path, { force: true }))
}

/** Writes what comes, of any size, compressed into a file that nobody reads yet; answers its path. */
export async function receive(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const unfinished = `${path}.gz.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await pipeline(content, createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    return unfinished
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** One file under two names, which costs no space. Not every file system can, and not every log has a file: then nothing happens. */
export async function shareFile(from: string, to: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await link(from, to)
  } catch {
    // Readers of the log find the first one.
  }
}

/** What a log is to be taken for whose end could not be written yet. */
export interface Unfinished {
  /** Bytes of the file. */
  size: number
  /** What should follow them. */
  end: string
}

/** Thousands may ask at once, and what the disk answers them in the same turn of the event loop is work of that turn. */
const opening = createBulkQueue()

async function openWithSize(path: string, unfinished?: Unfinished) {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return file && { file, size: unfinished?.size ?? (await file.stat()).size }
}

/** The bytes of a file, read as the reader asks for them; `null` if there is no such file. */
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

/** Paths of all plain files below the log folder (the unfinished logs), and of half-written compressed ones. */
export async function listUnfinished(folder: string): Promise<{ plain: string[]; broken: string[] }> {
  const entries = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const paths = entries.map((entry) => join(folder, entry))
  return {
    plain: paths.filter((path) => path.endsWith('.json')),
    broken: paths.filter((path) => path.endsWith('.tmp')),
  }
}
