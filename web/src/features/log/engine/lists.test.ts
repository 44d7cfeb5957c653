/** The lists in which a log is stored: bytes, numbers, hits. */
import { describe, expect, test } from 'vitest'
import { Bytes } from './bytes.ts'
import { Hits } from './hits.ts'
import { Numbers } from './numbers.ts'

describe('bytes', () => {
  const block = 1 << 20
  const filled = (length: number, start = 0) => Uint8Array.from({ length }, (_, index) => (start + index) % 251)

  test('are read as written, across blocks', () => {
    const bytes = new Bytes()
    bytes.push(filled(block - 3))
    bytes.push(filled(10, block - 3))
    expect(bytes.length).toBe(block + 7)
    const all = filled(block + 7)
    for (const [from, to] of [
      [0, 4],
      [block - 3, block],
      [block - 3, block + 7],
      [block - 1, block + 1],
      [block, block + 7],
    ] as const) {
      expect(bytes.read(from, to)).toEqual(all.slice(from, to))
    }
    for (const at of [0, block - 1, block, block + 6]) expect(bytes.at(at)).toBe(all[at])
    expect(bytes.at(block + 7)).toBeUndefined()
    expect(bytes.read(5, 5)).toHaveLength(0)
    expect(bytes.read(0, 0)).toHaveLength(0)
    expect(bytes.read(6, 5)).toHaveLength(0)
  })

  test('are truncated at the end, and continue from there', () => {
    const bytes = new Bytes()
    bytes.push(filled(2 * block + 5))
    bytes.truncate(3 * block)
    expect(bytes.length).toBe(2 * block + 5)
    bytes.truncate(block + 2)
    expect(bytes.length).toBe(block + 2)
    expect(bytes.at(block + 2)).toBeUndefined()
    bytes.push(Uint8Array.of(1, 2))
    expect([...bytes.read(block, block + 4)]).toEqual([...filled(2, block), 1, 2])
    bytes.truncate(0)
    expect(bytes.length).toBe(0)
    bytes.push(Uint8Array.of(9))
    expect([...bytes.read(0, 1)]).toEqual([9])
  })

  test('across more than two blocks', () => {
    const bytes = new Bytes()
    bytes.push(filled(3 * block))
    const middle = bytes.read(block - 2, 2 * block + 2)
    expect(middle).toHaveLength(block + 4)
    expect(middle.at(-1)).toBe((2 * block + 1) % 251)
    expect(middle[block + 1]).toBe((2 * block - 1) % 251)
  })
})

describe('numbers', () => {
  test('grow and are truncated', () => {
    const numbers = new Numbers()
    for (let value = 0; value < 5_000; value++) numbers.push(value * 2)
    expect(numbers.length).toBe(5_000)
    expect([0, 1_023, 1_024, 1_536, 4_999].map((index) => numbers.at(index))).toEqual([0, 2_046, 2_048, 3_072, 9_998])
    expect(numbers.at(100_000)).toBe(0)
    numbers.truncate(6_000)
    expect(numbers.length).toBe(5_000)
    numbers.truncate(3)
    expect(numbers.length).toBe(3)
    numbers.push(7)
    expect(numbers.at(3)).toBe(7)
  })
  test('are found', () => {
    const numbers = new Numbers()
    for (const value of [1, 3, 3, 3, 8]) numbers.push(value)
    expect([0, 1, 2, 3, 4, 8, 9].map((value) => numbers.lowerBound(value))).toEqual([0, 0, 1, 1, 4, 4, 5])
    expect(new Numbers().lowerBound(1)).toBe(0)
  })
})

describe('hits', () => {
  const hits = () => {
    const some = new Hits()
    for (const [line, start, end] of [
      [2, 0, 1],
      [2, 4, 6],
      [5, 1, 2],
      [99, 0, 3],
    ] as const) {
      some.push(line, start, end)
    }
    return some
  }
  test('of a line, with their numbers', () => {
    expect(hits().count).toBe(4)
    expect(hits().of(2)).toEqual([
      { index: 0, start: 0, end: 1 },
      { index: 1, start: 4, end: 6 },
    ])
    expect(hits().of(99)).toEqual([{ index: 3, start: 0, end: 3 }])
    expect(hits().of(3)).toEqual([])
    expect(hits().line(2)).toBe(5)
    expect([0, 2, 3, 100].map((line) => hits().firstFrom(line))).toEqual([0, 0, 2, 4])
  })
  test('are removed from a line on', () => {
    const some = hits()
    some.truncate(5)
    expect(some.count).toBe(2)
    some.push(5, 7, 9)
    expect(some.of(5)).toEqual([{ index: 2, start: 7, end: 9 }])
  })
  test('are spread over the log', () => {
    expect(hits().spread(100, 10)).toEqual([0, 9])
    expect(hits().spread(100, 100)).toEqual([2, 5, 99])
    expect(hits().spread(8, 4)).toEqual([1, 2])
    // Fewer lines than parts: one part per line.
    expect(hits().spread(6, 100)).toEqual([2, 5, 99])
    expect(new Hits().spread(100, 10)).toEqual([])
  })
})
