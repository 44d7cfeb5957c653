import { expect, test } from 'vitest'
import { numbered } from './numbered.ts'

test('each side counts its own lines; notes by git count on neither', () => {
  const lines = [' same', '-gone', '\\ No newline at end of file', '+new', '+newer', ' last']
  const rows = numbered({ old: 7, new: 9, lines, long: [{ at: 3, more: 20 }] })
  expect(rows).toEqual([
    { at: 0, kind: 'same', before: 7, after: 9, text: 'same' },
    { at: 1, kind: 'deleted', before: 8, text: 'gone' },
    { at: 2, kind: 'note', text: ' No newline at end of file' },
    { at: 3, kind: 'added', after: 10, text: 'new', more: 20 },
    { at: 4, kind: 'added', after: 11, text: 'newer' },
    { at: 5, kind: 'same', before: 9, after: 12, text: 'last' },
  ])
})
