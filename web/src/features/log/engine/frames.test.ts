import { expect, test } from 'vitest'
import { EndWatch, FrameReader } from './frames.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const stream =
  ': ping\n\ndata: {"a":"é"}\n\n\nevent: error\ndata: eof\n\ndata: one\ndata:two\n\nevent: message\ndata: x\nid: 7\n\ndata: open'

test('messages, wherever the bytes are split', () => {
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

test('the end is detected, even if split, and not within a line of the log', () => {
  const end = bytes('data: {"out":"x"}\n\nevent: error\ndata: eof\n\n')
  for (let cut = 1; cut < end.length - 2; cut++) {
    const watch = new EndWatch()
    watch.sees(end.subarray(0, cut))
    expect(watch.sees(end.subarray(cut))).toBe('over')
  }
  expect(new EndWatch().sees(bytes('data: {"out":"data: eof\\n"}\n\n'))).toBeUndefined()
  expect(new EndWatch().sees(bytes('data: eofx\n\n'))).toBeUndefined()
})

test('any other error is detected, even if split, and not within a line of the log', () => {
  const end = bytes('data: {"out":"x"}\n\nevent: error\ndata: boom\n\n')
  for (let cut = 1; cut < end.length - 2; cut++) {
    const watch = new EndWatch()
    watch.sees(end.subarray(0, cut))
    expect(watch.sees(end.subarray(cut))).toBe('cut')
  }
  for (const text of [
    'data: {"out":"event: error\\ndata: x\\n"}\n\n',
    'event: errors\ndata: x\n\n',
    'event: error\n\n',
  ])
    expect(new EndWatch().sees(bytes(text))).toBeUndefined()
})

test('messages follow the standard', () => {
  const read = (text: string) => new FrameReader().push(bytes(text))
  expect(read('event:\ndata: a\n\nevent:message\ndata: b\n\n')).toEqual(['a', 'b'])
  expect(read('event: messages\ndata: a\n\nevent: xmessage\ndata: b\n\ndata: c\n\n')).toEqual(['c'])
  expect(read('data:  two\ndata:\n\n')).toEqual([' two\n'])
  expect(read('\n\nid: 1\n\nretry: 5\ndatax: 1\nxdata: 2\n\nxevent:\ndata: d\n\n')).toEqual(['d'])
})

test('split characters and line ends', () => {
  const reader = new FrameReader()
  const [first, second] = [bytes('data: €\n\n').slice(0, 7), bytes('data: €\n\n').slice(7)]
  expect([...reader.push(first), ...reader.push(second)]).toEqual(['€'])
  // One line end, not two: the message is not complete.
  expect(reader.push(bytes('data: a\r'))).toEqual([])
  expect(reader.push(bytes('\ndata: b\r\n\r'))).toEqual([])
  expect(reader.push(bytes('\n'))).toEqual(['a\nb'])
})

test('the end is only detected after a line end, or at the start', () => {
  expect(new EndWatch().sees(bytes('data: eof'))).toBe('over')
  expect(new EndWatch().sees(bytes('xdata: eof'))).toBeUndefined()
  const watch = new EndWatch()
  expect(watch.sees(bytes(`${'x'.repeat(300)}\ndata:`))).toBeUndefined()
  expect(watch.sees(bytes('eof \t\n'))).toBe('over')
  expect(watch.sees(bytes('y'.repeat(256)))).toBeUndefined()
})
