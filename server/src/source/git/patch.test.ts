import { expect, test, vi } from 'vitest'
import { createPatchReader } from './patch.ts'

const limits = { fileLines: 1_000, lines: 5_000, lineBytes: 2_000, fileBytes: 100_000, bytes: 1_000_000 }

/**
 * Output of git 2.39 for a new file of one line without a line end, and for a file with one changed
 * line.
 */
const patch = Buffer.from(
  [
    'diff --git a/a.txt b/a.txt',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/a.txt',
    '@@ -0,0 +1 @@',
    `+${'x'.repeat(10_000)}`,
    '\\ No newline at end of file',
    'diff --git a/b.txt b/b.txt',
    '--- a/b.txt',
    '+++ b/b.txt',
    '@@ -1,2 +1,2 @@',
    ` ${'before '.repeat(1_000)}`,
    '-old',
    '+new',
    '',
  ].join('\n'),
)

test.each([1, 7, 64, 1_000, 4_096, 8_192, patch.length])('a patch is the same in chunks of %i bytes', (size) => {
  const reader = createPatchReader([1, 1], limits)
  for (let from = 0; from < patch.length; from += size) reader.write(patch.subarray(from, from + size))
  expect(reader.end(true)).toMatchObject([
    {
      hunks: [
        { lines: [`+${'x'.repeat(1_999)}`, '\\ No newline at end of file'], long: [{ at: 0, more: 10_001 - 2_000 }] },
      ],
    },
    {
      hunks: [
        { lines: [` ${'before '.repeat(1_000).slice(0, 1_999)}`, '-old', '+new'], long: [{ at: 0, more: 5_001 }] },
      ],
    },
  ])
})

const some = { ...limits, fileLines: 10 }
const signs = ['+', '-', ' ', '', '\\ No newline at end of file']
/**
 * Each file has more lines than the limit; the next file shows whether they were counted correctly.
 */
const long = Buffer.from(
  ['a', 'b', 'c']
    .map((name) => {
      const lines = Array.from({ length: 401 }, (_, at) =>
        at % 5 === 4 ? signs[4] : `${signs[at % 5]}${at % 5 < 3 ? at : ''}`,
      )
      const old = lines.filter((line) => !/^[+\\]/.test(line ?? '')).length
      const fresh = lines.filter((line) => !/^[-\\]/.test(line ?? '')).length
      return `diff --git a/${name} b/${name}\n@@ -1,${old} +1,${fresh} @@ ${name}\n${lines.join('\n')}\n`
    })
    .join(''),
)

test.each([1, 2, 3, 5, 64, 1_000, long.length])('lines above the limit are counted in chunks of %i bytes', (size) => {
  const reader = createPatchReader([1, 1, 1], some)
  for (let from = 0; from < long.length; from += size) reader.write(long.subarray(from, from + size))
  const lines = ['+0', '-1', ' 2', ' ', signs[4], '+5', '-6', ' 7', ' ', signs[4]]
  const file = (heading: string) => ({ cut: 'file', hunks: [{ heading, lines }] })
  expect(reader.end(true)).toMatchObject(['a', 'b', 'c'].map(file))
})

test('lines above the limit are not parsed one by one', () => {
  const reader = createPatchReader([1], limits)
  reader.write(Buffer.from('diff --git a/a b/a\n@@ -0,0 +1,1000000 @@\n'))
  const taken = vi.spyOn(Buffer, 'concat')
  for (let count = 0; count < 30; count += 1) reader.write(Buffer.alloc(64 * 1024, '+\n'))
  const lines = taken.mock.calls.length
  taken.mockRestore()
  expect(lines).toBeLessThan(2_000)
})
