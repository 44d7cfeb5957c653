import { expect, test } from 'vitest'

import { cutNote } from './use-server-search.ts'

test('a text that the server searches in full has no note', () => {
  expect(cutNote('fix the parser')).toBeUndefined()
  expect(cutNote('a'.repeat(200))).toBeUndefined()
  expect(cutNote('1 2 3 4 5 6 7 8')).toBeUndefined()
  expect(cutNote('1 - 2 - 3 - 4 - 5 - 6 - 7 - 8 -')).toBeUndefined()
})

test('a note says which part of a long text is ignored', () => {
  expect(cutNote('a'.repeat(201))).toBe('Only the first 200 characters were used to search builds.')
  expect(cutNote('1 2 3 4 5 6 7 8 9')).toBe('Only the first 8 words were used to search builds.')
})
