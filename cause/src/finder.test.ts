import { describe, expect, test } from 'vitest'

import { createFinder } from './finder.ts'
import type { EndOfStep } from './rank.ts'

const found = (lines: readonly string[], how: EndOfStep = { exitCode: 1 }) => {
  const finder = createFinder()
  for (const line of lines) finder.push(line)
  return finder.end(how)
}

describe('decisive lines', () => {
  test("a compiler's error comes before npm's summary of it", () => {
    const lines = [
      '+ npm run build',
      '> build',
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      'npm ERR! code ELIFECYCLE',
      'npm ERR! errno 2',
    ]
    expect(found(lines)[0]).toMatchObject({ line: 3, reason: 'compiler' })
  })

  test('a successful command has no error line', () => {
    const lines = ['+ ./lint', 'error: unused variable (allowed)', '+ ./deploy', 'cannot reach the host']
    expect(found(lines)[0]).toMatchObject({ line: 4 })
  })

  test('a successful step has no error line', () => {
    expect(found(['error: it did not work'], { exitCode: 0 })).toEqual([])
  })

  test('a new message ranks above one that every run prints', () => {
    const lines = ['error: no display', 'error: no licence']
    const known = new Set(['error: no display'])
    expect(found(lines)[0]).toMatchObject({ line: 1 })
    expect(found(lines, { exitCode: 1, known })[0]).toMatchObject({ line: 2 })
  })

  test('without an error message, the last lines are returned', () => {
    expect(found(['+ ./check', 'one', 'two', '']).map(({ line }) => line)).toEqual([3, 2, 1])
  })

  test('lines can be pushed one by one or in batches', () => {
    const lines = Array.from({ length: 500 }, (_, i) => (i === 321 ? 'fatal: bad object HEAD' : `line ${i}`))
    const finder = createFinder()
    finder.push(lines.slice(0, 200).join('\n'))
    finder.push(lines.slice(200).join('\n'))
    expect(finder.end({ exitCode: 128 })).toEqual(found(lines, { exitCode: 128 }))
    expect(finder.end()[0]).toMatchObject({ line: 322, text: 'fatal: bad object HEAD' })
  })
})
