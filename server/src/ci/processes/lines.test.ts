import { expect, test } from 'vitest'
import { createLineSplitter } from './lines.ts'

const splitter = () => createLineSplitter(() => 0)
const texts = (lines: readonly { out: string }[]) => lines.map(({ out }) => out)

test('lines keep their ends and are numbered from 0', () => {
  const { push, end } = splitter()
  expect(push(Buffer.from('one\ntw'))).toEqual([{ pos: 0, out: 'one\n', time: 0 }])
  expect(push(Buffer.from('o\n\nthree'))).toEqual([
    { pos: 1, out: 'two\n', time: 0 },
    { pos: 2, out: '\n', time: 0 },
  ])
  expect(texts(end())).toEqual(['three'])
  expect(end()).toEqual([])
})

test('what waits for its end can be taken before', () => {
  const { push, flush } = splitter()
  push(Buffer.from('Password: '))
  expect(texts(flush())).toEqual(['Password: '])
  expect(texts(push(Buffer.from('ok\n')))).toEqual(['ok\n'])
})

test('a character that two chunks share stays whole; bytes that are no UTF-8 are replaced', () => {
  const { push, end } = splitter()
  const bytes = Buffer.from('ä€😀\n')
  const lines = [...bytes].flatMap((byte) => push(Uint8Array.of(byte)))
  expect(texts(lines)).toEqual(['ä€😀\n'])
  expect(texts(push(Uint8Array.of(0xff, 0x00, 0xfe, 0x0a)))).toEqual(['\uFFFD\0\uFFFD\n'])
  push(Uint8Array.of(0xe2, 0x82))
  expect(texts(end())).toEqual(['\uFFFD'])
})

test('a long line is cut, never within a character', () => {
  const { push, end } = splitter()
  const text = 'a' + '😀'.repeat(100_000)
  const parts = texts([...push(Buffer.from(text)), ...end()])
  expect(parts.join('')).toBe(text)
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.every((part) => part.length <= 32 * 1024 && !/\p{Surrogate}/u.test(part))).toBe(true)
})
