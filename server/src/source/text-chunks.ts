import { setImmediate as nextTurn } from 'node:timers/promises'

/** Bytes that are taken apart before somebody else comes in between: of the shortest pieces that is 3 ms. */
const bytesAtOnce = 64 * 1024

/**
 * The texts between separators (lines, words), some at a time: whoever pushes decides how many there are. One that is longer than
 * 64 KiB may be cut; what stands behind the last separator is a piece, too.
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
