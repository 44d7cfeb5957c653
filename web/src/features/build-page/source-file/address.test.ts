import { expect, test } from 'vitest'

import { printSource, readSource } from './address.ts'

test.each([
  ['src/a.ts:12', { path: 'src/a.ts', line: 12 }],
  ['C:\\a.ts:3', { path: 'C:\\a.ts', line: 3 }],
  ['a:1:2', { path: 'a:1', line: 2 }],
])('%j is a line of a file', (value, location) => {
  expect(readSource(value)).toEqual(location)
  expect(printSource(location)).toBe(value)
})

test.each([null, '', 'src/a.ts', ':3', 'a:0', 'a:x', 'a:12345678', `${'a'.repeat(1_001)}:1`])(
  '%j is not a line of a file',
  (value) => {
    expect(readSource(value)).toBeUndefined()
  },
)
