import { describe, expect, test } from 'vitest'
import { RowReader } from './rows.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const lines = [
  { pos: 0, out: '+ echo "}{][\\\\"\n', time: 0 },
  { pos: 1, out: 'ünï "quoted\\" 😀\n', time: 1 },
  { pos: 2, out: '', time: 1 },
  { pos: 3, out: '\\', time: 2 },
  { pos: 4, out: '\u001b[31m\\\\\\"\n', time: 3 },
]

describe('a saved log in pieces', () => {
  test.each([1, 2, 3, 7, 64, 100_000])('of %i bytes', (size) => {
    const data = bytes(
      `[${JSON.stringify(lines[0])}\n,${lines
        .slice(1)
        .map((line) => JSON.stringify(line))
        .join(',\n')}]\n`,
    )
    const reader = new RowReader()
    const read = []
    for (let at = 0; at < data.length; at += size) read.push(...reader.push(data.slice(at, at + size)))
    reader.end()
    expect(read).toEqual(lines)
  })

  test.each(['null', '[]', '', ' [ ] '])('%j holds no lines', (text) => {
    const reader = new RowReader()
    expect(reader.push(bytes(text))).toEqual([])
    expect(() => reader.end()).not.toThrow()
  })

  test.each(['<!doctype html>', '{"message":"x"}', '[{"pos":0', '[{"pos":0,"out":"x"}'])('%j is refused', (text) => {
    const reader = new RowReader()
    reader.push(bytes(text))
    expect(() => reader.end()).toThrow('The log is not complete')
  })

  test('rows with missing or wrong fields are harmless', () => {
    const reader = new RowReader()
    expect(reader.push(bytes('[{"out":null},{"pos":"1","out":"a","time":-1,"more":{"x":[]}}]'))).toEqual([
      { pos: 0, out: '', time: 0 },
      { pos: 1, out: 'a', time: 0 },
    ])
    reader.end()
  })
})
