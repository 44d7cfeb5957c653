import { describe, expect, test } from 'vitest'
import { parseRow, RowReader } from './rows.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const lines = [
  { pos: 0, out: '+ echo "}{][\\\\"\n', time: 0 },
  { pos: 1, out: 'ünï "quoted\\" 😀\n', time: 1 },
  { pos: 2, out: '', time: 1 },
  { pos: 3, out: '\\', time: 2 },
  { pos: 4, out: '\u001b[31m\\\\\\"\n', time: 3 },
]

describe('a saved log in chunks', () => {
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

  test.each(['null', '[]', '', ' [ ] '])('%j has no lines', (text) => {
    const reader = new RowReader()
    expect(reader.push(bytes(text))).toEqual([])
    expect(() => reader.end()).not.toThrow()
  })

  test.each(['<!doctype html>', '{"message":"x"}', '[{"pos":0', '[{"pos":0,"out":"x"}'])('%j is rejected', (text) => {
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

describe('a row', () => {
  const row = (value: unknown) => new RowReader().push(bytes(`[${JSON.stringify(value)}]`))[0]
  test.each([
    [
      { pos: 7, out: 'a', time: 3 },
      { pos: 7, out: 'a', time: 3 },
    ],
    [
      { pos: 0, out: 'a', time: 0 },
      { pos: 0, out: 'a', time: 0 },
    ],
    [
      { pos: -1, out: 1, time: -1 },
      { pos: 0, out: '', time: 0 },
    ],
    [
      { pos: '7', out: null, time: '3' },
      { pos: 0, out: '', time: 0 },
    ],
    [{}, { pos: 0, out: '', time: 0 }],
  ])('%j is read as %j', (value, line) => expect(row(value)).toEqual(line))

  test('gets a position if it has none', () => {
    const reader = new RowReader()
    expect(reader.push(bytes('[{"out":"a"},{"out":"b"}')).map(({ pos }) => pos)).toEqual([0, 1])
    expect(reader.push(bytes(',{"out":"c"}]')).map(({ pos }) => pos)).toEqual([2])
    reader.end()
  })

  test.each([
    ['{"pos":4,"out":"x","time":1}', { pos: 4, out: 'x', time: 1 }],
    ['{"out":"x"}', { pos: 9, out: 'x', time: 0 }],
    ['null', { pos: 9, out: '', time: 0 }],
    ['3', { pos: 9, out: '', time: 0 }],
    ['{', undefined],
    ['', undefined],
  ])('of the live stream: %s', (json, line) => expect(parseRow(json, 9)).toEqual(line))

  test('ends at its own brace, whatever it contains', () => {
    const reader = new RowReader()
    const text = '[{"out":"\\\\","more":{"a":{"b":"}"}}},{"out":"\\""}'
    const read = [...text].flatMap((char) => reader.push(bytes(char)))
    expect(read.map(({ out }) => out)).toEqual(['\\', '"'])
    expect(() => reader.end()).toThrow('The log is not complete')
    expect(reader.push(bytes(' ] '))).toEqual([])
    reader.end()
  })

  test('white space can come first, and in chunks', () => {
    const reader = new RowReader()
    for (const piece of [' ', '\n ', ' [', ' {"out":"a"} ']) reader.push(bytes(piece))
    expect(() => reader.end()).toThrow('The log is not complete')
    reader.push(bytes(']'))
    reader.end()
  })

  test('can be parsed from a buffer that the caller reuses', () => {
    const reader = new RowReader()
    const buffer = bytes('[{"out":"ab')
    reader.push(buffer)
    buffer.fill(0)
    expect(reader.push(bytes('c"}]'))[0]?.out).toBe('abc')
  })
})
