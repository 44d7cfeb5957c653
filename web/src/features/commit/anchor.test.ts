import { expect, test } from 'vitest'
import { printAnchor, readAnchor } from './anchor.ts'

test.each([
  [{ path: 'src/a.ts' }, 'src/a.ts'],
  [{ path: 'src/a.ts', line: 12 }, 'src/a.ts:12'],
  [{ path: 'src/a.ts', line: -12 }, 'src/a.ts:-12'],
  [{ path: 'a:12' }, 'a%3A12'],
  [{ path: 'a:12', line: 3 }, 'a%3A12:3'],
  [{ path: 'a b/#?%\u202e\n' }, 'a%20b/%23%3F%25%E2%80%AE%0A'],
])('%o is written %s, and read again', (anchor, text) => {
  expect(printAnchor(anchor)).toBe(text)
  expect(readAnchor(`#${text}`)).toEqual(anchor)
})

test.each(['', '#', '#:12', '#a:0', '#a:b', '#a:12:13', '#%ff', '#a:1234567890'])(
  '%s names no file or line',
  (hash) => {
    expect(readAnchor(hash)).toBeUndefined()
  },
)
