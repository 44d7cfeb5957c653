/**
 * git's framing of its protocol ("pkt-line"): the length in four hexadecimal digits, then the
 * content.
 */
import { Refusal } from './refusal.ts'

const headerBytes = 4
/** The largest content of a packet that its length field can express. */
const maxContentBytes = 0xffff - headerBytes

export const flushPacket = Buffer.from('0000')

/** Throws a 400 for a content that is too long for a packet. */
export function packet(content: Buffer): Buffer {
  if (content.length > maxContentBytes) throw new Refusal(400, 'The request names a ref that is too long')
  const length = (content.length + headerBytes).toString(16).padStart(headerBytes, '0')
  return Buffer.concat([Buffer.from(length), content])
}

/** Bytes of a packet by its header. Throws a 400 for a header that is none. */
function lengthOf(header: string): number {
  const length = /^[0-9a-f]{4}$/i.test(header) ? Number.parseInt(header, 16) : Number.NaN
  if (length !== 0 && !(length > headerBytes)) throw new Refusal(400, 'The request is not git’s protocol')
  return length
}

export interface PacketReader {
  /**
   * Reads the next bytes of the stream; `true` after the flush packet. Following bytes are ignored.
   * Throws a 400 for bytes that are not packets.
   */
  add(chunk: Uint8Array): boolean
  /** Contents of the packets that were read. */
  packets: string[]
}

/**
 * Reads packets up to the first flush packet. Its work grows with the bytes, however they are cut
 * into chunks.
 */
export function createPacketReader(): PacketReader {
  const packets: string[] = []
  /** The bytes read of the current packet: the first `size` bytes of `buffer`. */
  const buffer = Buffer.alloc(maxContentBytes + headerBytes)
  let size = 0
  let isDone = false
  return {
    packets,
    add(chunk) {
      for (let at = 0; at < chunk.byteLength && !isDone;) {
        const targetBytes = size < headerBytes ? headerBytes : lengthOf(buffer.toString('latin1', 0, headerBytes))
        const part = chunk.subarray(at, at + targetBytes - size)
        buffer.set(part, size)
        size += part.byteLength
        at += part.byteLength
        if (size < headerBytes) continue
        const length = lengthOf(buffer.toString('latin1', 0, headerBytes))
        if (length === 0) isDone = true
        else if (size === length) {
          packets.push(buffer.toString('utf8', headerBytes, length))
          size = 0
        }
      }
      return isDone
    },
  }
}
