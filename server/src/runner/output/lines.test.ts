import { expect, test } from 'vitest'
import { createLineSplitter } from './lines.ts'

const splitter = () => createLineSplitter(() => ({ time: 0 }))
const texts = (lines: readonly { out: string }[]) => lines.map(({ out }) => out)

test('lines keep their ends and are numbered from 0', () => {
  const { push, flush } = splitter()
  expect(push('one\ntw')).toEqual([{ pos: 0, out: 'one\n', time: 0 }])
  expect(push('o\n\nthree')).toEqual([
    { pos: 1, out: 'two\n', time: 0 },
    { pos: 2, out: '\n', time: 0 },
  ])
  expect(texts(flush())).toEqual(['three'])
  expect(flush()).toEqual([])
})

test('what waits for its end can be taken before', () => {
  const { push, flush } = splitter()
  push('Password: ')
  expect(texts(flush())).toEqual(['Password: '])
  expect(texts(push('ok\n'))).toEqual(['ok\n'])
})

test('a long line is cut, never within a character', () => {
  const { push, flush } = splitter()
  const text = 'a' + '😀'.repeat(100_000)
  const parts = texts([...push(text), ...flush()])
  expect(parts.join('')).toBe(text)
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.every((part) => part.length <= 32 * 1024 && !/\p{Surrogate}/u.test(part))).toBe(true)
})
