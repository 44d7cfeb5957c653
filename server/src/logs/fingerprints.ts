/**
 * A compact index of a saved log's lines (cause/src/fingerprint.ts): a file beside the log, created
 * on first use, so that steps do not pay for it. Its size is at most one fiftieth of the log.
 */
import { createFingerprint } from '@flightdeck/cause'
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { SavedLog } from '../interfaces/logs.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { plainBody } from '../lib/unpack.ts'
import { createRowReader } from './row-reader.ts'

/** Bytes that even the smallest log may take. */
const smallest = 512

export interface Fingerprints {
  /** `null` while there is no saved log of the step, or none that can be read. */
  of: (stepId: number) => Promise<Uint8Array<ArrayBuffer> | null>
  /** The log was deleted or replaced. */
  remove: (stepId: number) => Promise<void>
}

/** `pathOf`: of the log, without the fingerprint's own ending. */
export function createFingerprints(
  pathOf: (stepId: number) => string,
  read: (stepId: number) => Promise<SavedLog | null>,
): Fingerprints {
  /**
   * Equal requests share a result; different ones run one after the other, because each reads a log
   * of any size.
   */
  const pending = new Map<number, Promise<Uint8Array<ArrayBuffer> | null>>()
  let last: Promise<unknown> = Promise.resolve()

  const fileOf = (stepId: number): string => `${pathOf(stepId)}.lines`

  async function make(stepId: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const path = fileOf(stepId)
    const stored = await readFile(path).catch(() => undefined)
    if (stored) return new Uint8Array(stored)
    const saved = await read(stepId)
    if (!saved) return null
    // A corrupt log has no fingerprint; reading the log itself reports the error.
    const made = await fingerprintOf(saved).catch(() => null)
    if (!made) return null
    const unfinished = `${path}.${randomUUID()}.tmp`
    try {
      await writeFile(unfinished, made, { mode: 0o600 })
      await rename(unfinished, path)
    } catch {
      // It could not be stored. The next call creates it again.
      await rm(unfinished, { force: true }).catch(() => {})
    }
    return made
  }

  return {
    of(stepId) {
      const cached = pending.get(stepId)
      if (cached) return cached
      const answer = last.then(
        () => make(stepId),
        () => make(stepId),
      )
      last = answer.catch(() => {})
      pending.set(stepId, answer)
      void last.then(() => pending.delete(stepId))
      return answer
    },
    async remove(stepId) {
      await pending.get(stepId)?.catch(() => {})
      await rm(fileOf(stepId), { force: true })
    },
  }
}

/** Yields to the event loop between the chunks of the log. */
async function fingerprintOf(saved: SavedLog): Promise<Uint8Array<ArrayBuffer>> {
  const writer = createFingerprint()
  const rows = createRowReader((out) => writer.add(out.replace(/\r?\n$/, '')))
  let size = 0
  const reader = plainBody(saved).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value
    await yieldToEventLoop()
    size += chunk.length
    rows.push(chunk)
  }
  await yieldToEventLoop()
  return writer.bytes(Math.max(smallest, Math.floor(size / 50)))
}
