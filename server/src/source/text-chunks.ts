import { setImmediate as nextTurn } from 'node:timers/promises'

/** Bytes to split per batch, between which other work runs: with the shortest pieces that takes 3 ms. */
const bytesAtOnce = 64 * 1024

/**
 * Splits text at a separator (lines, words) in batches: pushes decide how many pieces there are. A piece longer than
 * 64 KiB may be truncated; the text after the last separator is a piece, too.
 */
export async function* piecesOf(bytes: Buffer, separator: number): AsyncGenerator<string[], void, undefined> {
  const sign = String.fromCharCode(separator)
  for (let at = 0; at < bytes.length;) {
    if (at > 0) await nextTurn()
    const found = bytes.indexOf(separator, at + bytesAtOnce)
    const end = found === -1 ? bytes.length : found
    yield bytes.toString('utf8', at, Math.min(end, at + 2 * bytesAtOnce)).split(sign)
    at = end + 1
  }
}
