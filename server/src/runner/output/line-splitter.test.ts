import { expect, test } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

test('lines keep their line ends', () => {
  const splitter = createLineSplitter()
  expect([...splitter.push('one\ntw')]).toEqual(['one\n'])
  expect([...splitter.push('o\n\nthree')]).toEqual(['two\n', '\n'])
  expect(splitter.flush()).toBe('three')
  expect(splitter.flush()).toBe('')
})

test('an incomplete line can be flushed', () => {
  const splitter = createLineSplitter()
  expect([...splitter.push('Password: ')]).toEqual([])
  expect(splitter.isWaiting()).toBe(true)
  expect(splitter.flush()).toBe('Password: ')
  expect(splitter.isWaiting()).toBe(false)
  expect([...splitter.push('ok\n')]).toEqual(['ok\n'])
})

test('a long line is split, never within a character', () => {
  const splitter = createLineSplitter()
  const text = 'a' + '😀'.repeat(100_000)
  const parts = [...splitter.push(text), splitter.flush()]
  expect(parts.join('')).toBe(text)
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.every((part) => part.length <= 32 * 1024 && !/\p{Surrogate}/u.test(part))).toBe(true)
})
