import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { compress, listUnfinished, logPath, openSaved, receive, shareFile } from './files.ts'
import { listStored, sizeOf } from './stored.ts'
import { openLive, type LiveLog } from './live-log.ts'
import { createFingerprints } from './fingerprints.ts'
import { createLogSearch } from './search/log-search.ts'
import { findEnd } from './saved-rows.ts'
import { Refusal } from '../lib/refusal.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import type { LogStore, SavedLog } from '../interfaces/logs.ts'
import { createWrites, type Writes } from '../store/writes.ts'

const megabyte = 1024 * 1024

export interface LogOptions {
  /** The folder of the log files. */
  folder: string
  /**
   * Maximum bytes of one step's log; a last line says that the rest is dropped. Default 250 MB: a
   * million colored lines.
   */
  limit?: number
  writes?: Writes
  /** The program of the threads that search (`search/search-worker.ts`, bundled). */
  searchScript?: string
  /**
   * Milliseconds that a step waits while lines cannot be written; then they are dropped, and the
   * log says so.
   */
  timeoutMs?: number
}

/** Keeps one file per step; see `LogStore` and architecture.md "logs". */
export function createLogStore({
  folder,
  limit = 250 * megabyte,
  writes = createWrites(),
  searchScript = '',
  timeoutMs = 30_000,
}: LogOptions): LogStore {
  /** Promises, so that concurrent calls for one log share it. */
  const live = new Map<number, Promise<LiveLog>>()
  const opened = new Map<number, LiveLog>()
  /** Logs that are no longer live, but not yet finished or compressed. */
  const unfinished = new Map<number, LiveLog>()
  /** Logs whose last bytes are being written: reads wait for them. */
  const finishing = new Map<number, Promise<void>>()
  /** Logs that are not compressed yet: a log that is removed earlier would reappear. */
  const closing = new Map<number, Promise<void>>()
  /** Callers that wait for the end of a live log. */
  const waiting = new Map<number, Set<() => void>>()
  const path = (stepId: number) => logPath(folder, stepId)

  /** Removes the step from the live logs and returns its log, if it had one. */
  function take(stepId: number): Promise<LiveLog> | undefined {
    const log = live.get(stepId)
    live.delete(stepId)
    opened.delete(stepId)
    for (const resume of waiting.get(stepId) ?? []) resume()
    waiting.delete(stepId)
    return log
  }

  async function read(stepId: number): Promise<SavedLog | null> {
    if (live.has(stepId)) return null
    // A failure is reported to the caller that closes the log.
    await finishing.get(stepId)?.catch(() => {})
    const ending = unfinished.get(stepId)?.unfinished()
    // The plain file exists until it is compressed, and the compressed one afterwards.
    return (await openSaved(path(stepId), 'identity', ending)) ?? (await openSaved(`${path(stepId)}.gz`, 'gzip'))
  }
  const fingerprints = createFingerprints(path, read)

  return {
    async open(stepId) {
      if (live.has(stepId)) {
        await live.get(stepId)
        return
      }
      const opening = openLive(path(stepId), { limit, writes, timeoutMs })
      live.set(stepId, opening)
      try {
        opened.set(stepId, await opening)
      } catch (error) {
        live.delete(stepId)
        throw error
      }
    },
    async append(stepId, lines) {
      const log = await live.get(stepId)
      if (!log) throw new Refusal(500, 'stream: not found')
      return log.append(lines)
    },
    async sync(stepId) {
      await (await live.get(stepId))?.sync()
    },
    async close(stepId) {
      const cached = closing.get(stepId)
      const log = take(stepId) ?? unfinished.get(stepId)
      if (cached || !log) return cached
      const finished = Promise.resolve(log)
        .then((it) => {
          unfinished.set(stepId, it)
          return it.finish()
        })
        .finally(() => finishing.delete(stepId))
      finishing.set(stepId, finished)
      const closed = finished
        .then(() => compress(path(stepId)))
        .then(() => void unfinished.delete(stepId))
        .finally(() => closing.delete(stepId))
      closing.set(stepId, closed)
      await closed
    },
    async receive(stepId, content) {
      const received = await receive(path(stepId), content, limit)
      return {
        async commit() {
          // A running compression would overwrite it.
          await closing.get(stepId)?.catch(() => {})
          const installed = (async () => {
            const log = (await take(stepId)) ?? unfinished.get(stepId)
            await log?.abandon()
            unfinished.delete(stepId)
            await rename(received, `${path(stepId)}.gz`)
            await syncFolder(dirname(path(stepId)))
            await rm(path(stepId), { force: true })
            await fingerprints.remove(stepId)
          })().finally(() => finishing.delete(stepId))
          finishing.set(stepId, installed)
          await installed
        },
        drop: () => rm(received, { force: true }),
      }
    },
    read,
    fingerprint: (stepId) => fingerprints.of(stepId),
    search: createLogSearch({ script: searchScript, pathOf: path }),
    async closed(stepId, signalOf) {
      if (!live.has(stepId)) return
      const signal = signalOf()
      if (signal.aborted) return
      const others = waiting.get(stepId) ?? new Set()
      waiting.set(stepId, others)
      await new Promise<void>((resume) => {
        others.add(resume)
        signal.addEventListener('abort', () => {
          others.delete(resume)
          resume()
        })
      })
    },
    follow(stepId, signal) {
      const opening = live.get(stepId)
      if (!opening) return null
      // A step is "running" as soon as its log is being opened, so a reader that arrives now waits
      // instead of being refused.
      return opened.get(stepId)?.follow(signal) ?? followOpening(opening, signal)
    },
    async share(from, to) {
      // The file is about to be replaced.
      if (live.has(from) || unfinished.has(from) || closing.has(from)) return
      await shareFile(`${path(from)}.gz`, `${path(to)}.gz`)
    },
    async remove(stepId) {
      const log = (await take(stepId)) ?? unfinished.get(stepId)
      await closing.get(stepId)?.catch(() => {})
      await log?.abandon()
      unfinished.delete(stepId)
      await rm(path(stepId), { force: true })
      await rm(`${path(stepId)}.gz`, { force: true })
      await fingerprints.remove(stepId)
    },
    size: (stepId) => sizeOf(path(stepId)),
    stored: () => listStored(folder),
    readers: () => Object.fromEntries([...opened].map(([stepId, log]) => [String(stepId), log.readers()])),
    async stop() {
      for (const stepId of live.keys()) await (await take(stepId))?.abandon()
      for (const log of unfinished.values()) await log.abandon()
    },
    async recover(live = new Set()) {
      const { plain, broken } = await listUnfinished(folder)
      for (const file of broken) await rm(file, { force: true })
      const livePaths = new Set([...live].map(path))
      for (const file of plain) {
        if (livePaths.has(file)) continue
        await closeCut(file)
        await compress(file)
      }
    },
  }
}

async function* followOpening(opening: Promise<LiveLog>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* (await opening).follow(signal)
}

/** Cuts a file to its last whole row and closes the list. */
async function closeCut(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { end } = await findEnd(file)
    await file.truncate(end)
    await file.write(end === 0 ? '[]' : ']', end)
  } finally {
    await file.close()
  }
}
