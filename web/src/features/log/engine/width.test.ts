import { expect, test } from 'vitest'
import { plainText } from './ansi/index.ts'
import { LogModel } from './model.ts'
import { asciiColumns, columnsOf, wrappedRows } from './width.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each(['', 'plain', '\u001b[32mok\u001b[0m 12 of 13', '\u001b[1;38;5;120mbold\u001b[m', '~ !'])(
  '%j is as wide as what is read of it',
  (text) => expect(asciiColumns(bytes(text))).toBe(columnsOf(plainText(text))),
)

test.each(['a\tb', 'ü', '写', '\r50 %', '\u001b[2Kgone', '\u001b]8;;x\u0007', '\u001b', '\u001b[31', '\u007f'])(
  '%j is not of the simple kind',
  (text) => expect(asciiColumns(bytes(text))).toBeUndefined(),
)

// Unicode's East Asian Width: the first and the last character of each block, and their neighbors.
test.each([
  [0x10ff, 1],
  [0x1100, 2],
  [0x115f, 2],
  [0x1160, 1],
  [0x2e7f, 1],
  [0x2e80, 2],
  [0xa4cf, 2],
  [0xa4d0, 1],
  [0xabff, 1],
  [0xac00, 2],
  [0xd7a3, 2],
  [0xd7a4, 1],
  [0xf8ff, 1],
  [0xf900, 2],
  [0xfaff, 2],
  [0xfb00, 1],
  [0xfe2f, 1],
  [0xfe30, 2],
  [0xfe6f, 2],
  [0xfe70, 1],
  [0xfeff, 1],
  [0xff00, 2],
  [0xff60, 2],
  [0xff61, 1],
  [0x1f2ff, 1],
  [0x1f300, 2],
  [0x1faff, 2],
  [0x1fb00, 1],
])('the character %i takes %i columns', (code, columns) => expect(columnsOf(String.fromCodePoint(code))).toBe(columns))

test('a tab extends to the next multiple of eight', () => {
  expect(columnsOf('\t')).toBe(8)
  expect(columnsOf('abc\tx')).toBe(9)
  expect(columnsOf('12345678\t')).toBe(16)
  expect(columnsOf('写\t\t')).toBe(16)
})

test('rows of a wrapped log', () => {
  const model = new LogModel()
  const lines = [
    '',
    'x'.repeat(10),
    'x'.repeat(11),
    '写'.repeat(6),
    'a\tb',
    '\u001b[31mred\u001b[0m',
    'x'.repeat(20_000),
  ]
  model.add([{ pos: 0, out: `${lines.join('\n')}\n`, time: 0 }])
  expect([...wrappedRows(model, 0, 10)]).toEqual([1, 1, 2, 2, 1, 1, 1_008])
  expect([...wrappedRows(model, 2, 10)]).toEqual([2, 2, 1, 1, 1_008])
  expect([...wrappedRows(model, 4, 8)]).toEqual([2, 1, 1_260])
  expect([...wrappedRows(model, 0, 100)]).toEqual([1, 1, 1, 1, 1, 1, 101])
  expect(wrappedRows(model, 8, 10)).toHaveLength(0)
})
