import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Bytes to split per batch. Other work runs between batches: a batch with the shortest chunks takes
 * 3 ms.
 */
const batchBytes = 64 * 1024

/**
 * Splits text at a separator (lines, words) in batches, because pushes decide how many chunks there
 * are. A chunk longer than 64 KiB may be truncated. The text after the last separator is also a
 * chunk.
 */
export async function* chunksOf(bytes: Buffer, separator: number): AsyncGenerator<string[], void, undefined> {
  const sign = String.fromCharCode(separator)
  for (let at = 0; at < bytes.length;) {
    if (at > 0) await nextTurn()
    const found = bytes.indexOf(separator, at + batchBytes)
    const end = found === -1 ? bytes.length : found
    yield bytes.toString('utf8', at, Math.min(end, at + 2 * batchBytes)).split(sign)
    at = end + 1
  }
}
