import { expect, test, vi } from 'vitest'
import { namesEnding } from './names-ending.ts'

const names = ['a/main.go', 'b/c/main.go', 'main.go', 'a/xmain.go', 'ü/main.go', 'a/main.go.txt']

test.each([1, 7, 64, 1_000])('finds names by their ending in chunks of %i bytes', (size) => {
  const finder = namesEnding('main.go', 10)
  const bytes = Buffer.from(names.map((name) => `${name}\0`).join(''))
  for (let from = 0; from < bytes.length; from += size) finder.write(bytes.subarray(from, from + size))
  expect(finder.found).toEqual(['a/main.go', 'b/c/main.go', 'ü/main.go'])
})

test('stops when it has found enough', () => {
  const finder = namesEnding('a', 2)
  expect([finder.write(Buffer.from('x/a\0')), finder.write(Buffer.from('y/a\0z/a\0'))]).toEqual([true, false])
  expect(finder.found).toEqual(['x/a', 'y/a'])
})

test('an endless name is not buffered, and no part of it counts as a name', () => {
  const finder = namesEnding('main.go', 10)
  const piece = Buffer.alloc(64 * 1024, 'x')
  const copied = vi.spyOn(Buffer, 'concat')
  for (let count = 0; count < 100; count += 1) finder.write(piece)
  const maxCopiedBytes = Math.max(...copied.mock.results.map(({ value }) => (value as Buffer).length))
  copied.mockRestore()
  expect(maxCopiedBytes).toBeLessThan(200_000)
  finder.write(Buffer.from('/main.go\0b/main.go\0'))
  expect(finder.found).toEqual(['b/main.go'])
})
