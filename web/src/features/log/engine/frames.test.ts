import { expect, test } from 'vitest'
import { EndWatch, FrameReader } from './frames.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const stream =
  ': ping\n\ndata: {"a":"é"}\n\n\nevent: error\ndata: eof\n\ndata: one\ndata:two\n\nevent: message\ndata: x\nid: 7\n\ndata: open'

test('messages, wherever the bytes are cut', () => {
  const all = bytes(stream)
  for (let size = 1; size < all.length; size++) {
    const reader = new FrameReader()
    const messages: string[] = []
    for (let at = 0; at < all.length; at += size) messages.push(...reader.push(all.subarray(at, at + size)))
    expect(messages).toEqual(['{"a":"é"}', 'one\ntwo', 'x'])
  }
})

test('other line ends', () => {
  const all = bytes('data: a\r\n\r\ndata: b\r\rdata: c\r\n\n')
  for (let size = 1; size <= all.length; size++) {
    const reader = new FrameReader()
    const messages: string[] = []
    for (let at = 0; at < all.length; at += size) messages.push(...reader.push(all.subarray(at, at + size)))
    expect(messages).toEqual(['a', 'b', 'c'])
  }
})

test('the end is seen, also in pieces, and not in a line of the log', () => {
  const end = bytes('data: {"out":"x"}\n\nevent: error\ndata: eof\n\n')
  for (let cut = 1; cut < end.length - 2; cut++) {
    const watch = new EndWatch()
    watch.sees(end.subarray(0, cut))
    expect(watch.sees(end.subarray(cut))).toBe(true)
  }
  expect(new EndWatch().sees(bytes('data: {"out":"data: eof\\n"}\n\n'))).toBe(false)
  expect(new EndWatch().sees(bytes('data: eofx\n\n'))).toBe(false)
})
