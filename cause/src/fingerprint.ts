/**
 * What lines a log had, in little: for "never seen before" it is enough to know of each line whether it was there. A line is
 * known by a hash of its text without numbers (normalise.ts); the hashes are a set of bits, written as the gaps between them.
 * A line that was not there is taken for known once in `2^bits / lines` times.
 */
import { normalise } from './normalise.ts'

/** Of a hash that are kept at most, and at least. 24 bits: of 10,000 lines one in 1,700 new ones is taken for known. */
const most = 24
const least = 12

/** FNV-1a over the code units, its upper bits, which are the better mixed ones. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The last characters have not reached the upper bits yet.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> (32 - most)
}

/** Calls back with each hash of the set, in their order. */
const each = (bits: Uint32Array, use: (hash: number) => void): void => {
  // Half a million words, nearly all of them empty.
  for (let index = 0; index < bits.length; index++) {
    const word = bits[index] ?? 0
    if (word === 0) continue
    for (let bit = 0; bit < 32; bit++) if ((word & (1 << bit)) !== 0) use(index * 32 + bit)
  }
}

const gapsOf = (bits: Uint32Array, width: number): Uint8Array<ArrayBuffer> => {
  const gaps: number[] = [width]
  let before = -1
  each(bits, (hash) => {
    let gap = hash - before - 1
    before = hash
    for (; gap > 127; gap >>>= 7) gaps.push((gap & 127) | 128)
    gaps.push(gap)
  })
  return Uint8Array.from(gaps)
}

/** A set of one bit less: half as large, and twice as often wrong. */
const folded = (bits: Uint32Array<ArrayBuffer>, width: number): Uint32Array<ArrayBuffer> => {
  const half = new Uint32Array(2 ** (width - 1) / 32)
  each(bits, (hash) => {
    const at = hash >>> 1
    half[at >>> 5] = (half[at >>> 5] ?? 0) | (1 << (at & 31))
  })
  return half
}

export interface FingerprintWriter {
  /** A line as it stands in the log, colours and all. */
  add: (line: string) => void
  /** The fingerprint, of at most so many bytes (but never less than some hundred): the smaller, the more often wrong. */
  bytes: (limit: number) => Uint8Array<ArrayBuffer>
}

export function createFingerprint(): FingerprintWriter {
  const bits = new Uint32Array(2 ** most / 32)
  return {
    add(line) {
      const hash = hashOf(normalise(line))
      bits[hash >>> 5] = (bits[hash >>> 5] ?? 0) | (1 << (hash & 31))
    },
    bytes(limit) {
      let made = gapsOf(bits, most)
      for (let width = most, few = bits; made.length > limit && width > least;) {
        few = folded(few, width)
        width -= 1
        made = gapsOf(few, width)
      }
      return made
    },
  }
}

/** The lines of a fingerprint, asked for by their normalised text; `undefined` for bytes that are none. */
export function readFingerprint(bytes: Uint8Array): { has: (normalised: string) => boolean } | undefined {
  const width = bytes[0] ?? 0
  if (width < least || width > most) return undefined
  const bits = new Uint32Array(2 ** width / 32)
  let hash = -1
  let gap = 0
  let shift = 0
  for (const byte of bytes.subarray(1)) {
    gap += (byte & 127) * 2 ** shift
    shift += 7
    if (byte > 127 && shift < 28) continue
    hash += gap + 1
    if (byte > 127 || hash >= 2 ** width) return undefined
    bits[hash >>> 5] = (bits[hash >>> 5] ?? 0) | (1 << (hash & 31))
    gap = 0
    shift = 0
  }
  if (shift > 0) return undefined
  return {
    has(normalised) {
      const at = hashOf(normalised) >>> (most - width)
      return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
    },
  }
}
