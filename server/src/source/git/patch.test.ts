import { expect, test } from 'vitest'
import { createPatchReader } from './patch.ts'

const limits = { fileLines: 1_000, lines: 5_000, lineBytes: 2_000, fileBytes: 100_000, bytes: 1_000_000 }

/** As git 2.39 writes a new file of one line that has no end, and a file of which a line was changed. */
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

test.each([1, 7, 64, 1_000, 4_096, 8_192, patch.length])('a patch is the same in pieces of %i bytes', (size) => {
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
