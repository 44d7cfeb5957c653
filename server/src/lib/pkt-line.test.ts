import { describe, expect, it } from 'vitest'
import { createPacketReader, flushPacket, packet } from './pkt-line.ts'

const stream = Buffer.concat([
  packet(Buffer.from('one\n')),
  packet(Buffer.alloc(65_531, 'x')),
  packet(Buffer.from('ü')),
  flushPacket,
])

describe('packets', () => {
  it.each([1, 2, 3, 4, 5, 7, 1_000, stream.length])('are read from chunks of %i bytes', (chunkBytes) => {
    const reader = createPacketReader()
    const done: boolean[] = []
    for (let at = 0; at < stream.length; at += chunkBytes) done.push(reader.add(stream.subarray(at, at + chunkBytes)))
    expect(reader.packets).toEqual(['one\n', 'x'.repeat(65_531), 'ü'])
    expect([done.indexOf(true), done.at(-1)]).toEqual([done.length - 1, true])
  })

  it('end with the flush packet, whatever follows it', () => {
    const reader = createPacketReader()
    expect(reader.add(Buffer.concat([flushPacket, Buffer.from('PACK')]))).toBe(true)
    expect(reader.add(Buffer.from('zzzz'))).toBe(true)
    expect(reader.packets).toEqual([])
  })

  it.each(['zzzz', '0001', '0002', '0003', '0004', '-001', '00 5'])('do not begin with %j', (header) => {
    expect(() => createPacketReader().add(Buffer.from(`${header}x`))).toThrow('The request is not git’s protocol')
    const cut = createPacketReader()
    cut.add(Buffer.from(header.slice(0, 3)))
    expect(() => cut.add(Buffer.from(header.slice(3)))).toThrow('The request is not git’s protocol')
  })
})

it('each byte is read once, however small the chunks are', () => {
  let reads = 0
  // Counts what is read of the chunks, not the time.
  class Counted extends Uint8Array {
    override subarray(begin?: number, end?: number): Uint8Array<ArrayBuffer> {
      const part = super.subarray(begin, end)
      reads += part.byteLength
      return part
    }
  }
  const reader = createPacketReader()
  const bytes = Buffer.concat([...Array.from({ length: 2_000 }, () => packet(Buffer.alloc(500, 'x'))), flushPacket])
  for (let at = 0; at < bytes.length; at += 10) reader.add(new Counted(bytes.subarray(at, at + 10)))
  expect([reader.packets.length, reads]).toEqual([2_000, bytes.length])
})

it('a content of more than 65,531 bytes has no packet', () => {
  expect(packet(Buffer.alloc(65_531)).length).toBe(65_535)
  expect(() => packet(Buffer.alloc(65_532))).toThrow('too long')
})
