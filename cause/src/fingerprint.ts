/**
 * A compact set of the lines in a log. To detect new lines, it only needs to know whether each line
 * was there. It stores a hash of each line without its numbers (normalise.ts), as the sorted
 * hashes' gaps. A new line is reported as known with a probability of `lines / 2^bits`.
 */
import { hashBits, hashOf } from './hash.ts'
import { blankLine, hashOfLine } from './line-hash.ts'
import { normalise } from './normalise.ts'

const maxBits = hashBits
/** The minimum number of bits per hash. */
const minBits = 12

/** Calls back with each hash of the set, in ascending order. */
const each = (bits: Uint32Array, use: (hash: number) => void): void => {
  // Half a million words, nearly all of them zero.
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

/** The set with one bit less per hash: half as large, and twice as often wrong. */
const folded = (bits: Uint32Array<ArrayBuffer>, width: number): Uint32Array<ArrayBuffer> => {
  const half = new Uint32Array(2 ** (width - 1) / 32)
  each(bits, (hash) => {
    const at = hash >>> 1
    half[at >>> 5] = (half[at >>> 5] ?? 0) | (1 << (at & 31))
  })
  return half
}

export interface FingerprintWriter {
  /** Adds a line as in the log, with colors. */
  add: (line: string) => void
  /** Adds a line given as bytes. */
  addBytes: (bytes: Uint8Array, from: number, to: number) => void
  /**
   * The fingerprint, of at most `limit` bytes (but at least some hundred). The smaller it is, the
   * more often it is wrong.
   */
  bytes: (limit: number) => Uint8Array<ArrayBuffer>
}

export function createFingerprint(): FingerprintWriter {
  const bits = new Uint32Array(2 ** maxBits / 32)
  const keep = (hash: number): void => {
    bits[hash >>> 5] = (bits[hash >>> 5] ?? 0) | (1 << (hash & 31))
  }
  return {
    add: (line) => keep(hashOf(normalise(line))),
    addBytes(line, from, to) {
      const hash = hashOfLine(line, from, to)
      if (hash !== blankLine) keep(hash)
    },
    bytes(limit) {
      let made = gapsOf(bits, maxBits)
      for (let width = maxBits, few = bits; made.length > limit && width > minBits;) {
        few = folded(few, width)
        width -= 1
        made = gapsOf(few, width)
      }
      return made
    },
  }
}

export interface Fingerprint {
  has: (normalised: string) => boolean
  /** Whether it has the line with this `hashOfLine`. */
  hasHash: (hash: number) => boolean
}

/**
 * Reads a fingerprint, which can be queried by normalized text or its hash; `undefined` if the
 * bytes are not a fingerprint.
 */
export function readFingerprint(bytes: Uint8Array): Fingerprint | undefined {
  const width = bytes[0] ?? 0
  if (width < minBits || width > maxBits) return undefined
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
  const hasHash = (whole: number): boolean => {
    const at = whole >>> (maxBits - width)
    return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
  }
  return { has: (normalised) => hasHash(hashOf(normalised)), hasHash }
}
