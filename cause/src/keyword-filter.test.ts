import { describe, expect, test } from 'vitest'

import { shapeOf, LineFilter } from './keyword-filter.ts'

const scanned = (text: string): string[] => {
  const found: string[] = []
  const lines = new LineFilter(['erro', 'time']).scan(text, (index, from, to) => {
    found.push(`${index}: ${text.slice(from, to)}`)
    return 0
  })
  return [...found, `${lines} lines`]
}

describe('keyword filter', () => {
  test('a line is reported to its end, wherever its keyword is', () => {
    expect(scanned('an error, and more\nnothing\ntime\nthe last error')).toEqual([
      '0: an error, and more',
      '2: time',
      '3: the last error',
      '4 lines',
    ])
  })

  test('a line without a keyword does not end the previous one', () => {
    expect(scanned('✖ one\n\na.c:1:2\ntwo\n')).toEqual(['0: ✖ one', '2: a.c:1:2', '5 lines'])
  })
})

describe('shape', () => {
  const shape = (text: string): number => shapeOf(text, 0, text.length)

  test('lines that differ only in numbers have the same shape', () => {
    expect(shape('error 7 of 1200: é 3')).toBe(shape('error 19 of 4: é 88'))
  })

  test('lines with and without a number, or with different letters, have different shapes', () => {
    expect(new Set(['v', 'v1', 'v1.2', 'v1é2', 'v1ê2', 'V1.2'].map(shape)).size).toBe(6)
  })
})
