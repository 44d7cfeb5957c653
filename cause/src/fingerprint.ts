/**
 * What lines a log had, in little: for "never seen before" it is enough to know of each line whether it was there. A line is
 * known by a hash of its text without numbers (normalise.ts); the hashes are a set of bits, written as the gaps between them.
 * A line that was not there is taken for known once in `2^bits / lines` times.
 */
import { hashBits, hashOf } from './hash.ts'
import { blankLine, hashOfLine } from './line-hash.ts'
import { normalise } from './normalise.ts'

const maxBits = hashBits
/** Of a hash that are kept at least. */
const minBits = 12

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
  /** A line as in the log, with colors. */
  add: (line: string) => void
  /** The same of bytes. */
  addBytes: (bytes: Uint8Array, from: number, to: number) => void
  /** The fingerprint, of at most so many bytes (but never less than some hundred): the smaller, the more often wrong. */
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
  /** By what `hashOfLine` answers. */
  hasHash: (hash: number) => boolean
}

/** The lines of a fingerprint, asked for by their normalised text or its hash; `undefined` for bytes that are none. */
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
