/**
 * One gzip file made of separately compressed parts (RFC 1951, RFC 1952): only a part that changes
 * is compressed again.
 */
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'

export interface Part {
  /**
   * Whole deflate blocks that refer to nothing before them, at a byte's border; none is the last.
   */
  deflated: Buffer
  /** Of the text. */
  crc: number
  length: number
}

export function packPart(text: string): Promise<Part> {
  const bytes = Buffer.from(text)
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: 6, finishFlush: constants.Z_FULL_FLUSH }, (error, deflated) => {
      if (error) reject(error)
      else resolve({ deflated, crc: crc32(bytes), length: bytes.length })
    })
  })
}

/**
 * Polynomials over GF(2), the lowest power in the highest bit, modulo the one of CRC-32: zlib's
 * `multmodp`.
 */
const polynomial = 0xedb88320
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= b
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1
  }
  return product >>> 0
}

/** x to the power of 2, 4, 8 … */
const squares: number[] = [0x40000000]
while (squares.length < 40) {
  const last = squares.at(-1) ?? 0
  squares.push(multiply(last, last))
}

/** The CRC of two texts, one after the other: the first one's, moved by the bits of the second. */
export function joinCrc(first: number, second: number, secondLength: number): number {
  let moved = first
  // Bytes have eight bits, so the powers start at 2³.
  for (let remaining = secondLength, power = 3; remaining > 0; remaining = Math.floor(remaining / 2), power++) {
    if (remaining % 2 === 1) moved = multiply(squares[power] ?? 0, moved)
  }
  return (moved ^ second) >>> 0
}

const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** The parts and, after them, `end`. */
export function joinParts(parts: readonly Part[], end: string): Buffer {
  const last = { deflated: deflateRawSync(end), crc: crc32(end), length: Buffer.byteLength(end) }
  let [crc, length] = [0, 0]
  for (const part of [...parts, last]) {
    crc = joinCrc(crc, part.crc, part.length)
    length += part.length
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc, 0)
  tail.writeUInt32LE(length % 2 ** 32, 4)
  return Buffer.concat([head, ...parts.map(({ deflated }) => deflated), last.deflated, tail])
}
