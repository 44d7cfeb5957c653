/**
 * Plain files in a ustar archive, one after the other, so that `tar` on any machine reads it. The
 * reader takes nothing but plain files: links, folders and devices are refused.
 */
import { BackupError } from './backup-error.ts'

const blockBytes = 512
const maxNameBytes = 255
/** What fits in eleven octal digits; larger sizes are written as GNU tar does. */
const maxOctalSize = 8 ** 11

export interface TarEntry {
  name: string
  /** Bytes of its content. */
  size: number
  executable: boolean
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/**
 * The name in the two fields of ustar: at most 100 bytes, and at most 155 of folders before them.
 */
function splitName(name: string): [prefix: string, name: string] {
  const bytes = Buffer.byteLength(name)
  if (bytes <= 100) return ['', name]
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    if (Buffer.byteLength(name.slice(at + 1)) <= 100 && at <= 155) return [name.slice(0, at), name.slice(at + 1)]
  }
  throw new BackupError(`The name ${name} is too long for an archive`)
}

/** The header of an entry; its content follows, and `paddingOf` its size. */
export function tarHeader({ name, size, executable }: TarEntry): Buffer {
  const [prefix, last] = splitName(name)
  const header = Buffer.alloc(blockBytes)
  header.write(last, 0)
  header.write(octal(executable ? 0o700 : 0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  if (size < maxOctalSize) header.write(octal(size, 12), 124)
  else {
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write(octal(0, 12), 136)
  header.write(`${' '.repeat(8)}0`, 148)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)} `, 148)
  return header
}

export const paddingOf = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)

/** Two empty blocks end an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

const damaged = (): BackupError => new BackupError('The file is not a Flightdeck backup, or it is damaged')
const truncated = (): BackupError => new BackupError('The backup is truncated: it ends in the middle')

function sizeIn(header: Buffer): number {
  if (header.readUInt8(124) === 0x80) return Number(header.readBigUInt64BE(128))
  const text = header.toString('latin1', 124, 136).replaceAll(/[\0 ]/g, '')
  if (!/^[0-7]{1,11}$/.test(text)) throw damaged()
  return Number.parseInt(text, 8)
}

function parseHeader(header: Buffer): TarEntry {
  const text = (from: number, length: number) => header.toString('utf8', from, from + length).split('\0', 1)[0] ?? ''
  if (text(257, 5) !== 'ustar') throw damaged()
  const checksum = Number.parseInt(text(148, 8), 8)
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (sum !== checksum) throw damaged()
  const prefix = text(345, 155)
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const type = text(156, 1)
  if (type !== '0' && type !== '') throw new BackupError(`The backup contains ${name}, which is not a regular file`)
  const size = sizeIn(header)
  if (!Number.isSafeInteger(size) || size < 0 || Buffer.byteLength(name) > maxNameBytes) throw damaged()
  return { name, size, executable: (Number.parseInt(text(100, 8), 8) & 0o100) !== 0 }
}

/** Reads exact numbers of bytes from a stream. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** At least one byte and at most `max`; `null` at the end. */
  async some(max: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done) return null
      this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length)
    }
    const taken = this.#rest.subarray(0, max)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  /** The next `size` bytes in pieces. */
  async *pieces(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const piece = await this.some(left)
      if (!piece) throw truncated()
      left -= piece.length
      yield piece
    }
  }

  async exactly(size: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.pieces(size)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
}

/** Each entry with its content, which must be read to its end before the next one. */
export async function* readTar(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ entry: TarEntry; content: AsyncIterable<Buffer> }> {
  const reader = new ByteReader(bytes)
  for (;;) {
    const header = await reader.exactly(blockBytes)
    if (header.every((byte) => byte === 0)) break
    const entry = parseHeader(header)
    yield { entry, content: reader.pieces(entry.size) }
    await reader.exactly(paddingOf(entry.size).length)
  }
  // To the end, or what is wrong with the compressed stream is not noticed.
  while (await reader.some(64 * 1024));
}
