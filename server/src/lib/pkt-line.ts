/** git's framing of its protocol ("pkt-line"): the length in four hexadecimal digits, then the content. */
import { Refusal } from './refusal.ts'

/** Bytes of the content of one packet, as its length can tell them. */
const maxContentBytes = 0xffff - 4

export const flushPacket = Buffer.from('0000')

/** Throws a 400 for a content that is too long for a packet. */
export function packet(content: Buffer): Buffer {
  if (content.length > maxContentBytes) throw new Refusal(400, 'The request names a ref that is too long')
  return Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content])
}
