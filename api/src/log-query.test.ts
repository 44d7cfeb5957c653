import { expect, test } from 'vitest'

import { hitOf } from './log-query.ts'

const left = 'l'.repeat(70)
const right = 'r'.repeat(70)

test('a hit has 60 characters before and after the match', () => {
  const line = `${left}needle${right}`
  expect(hitOf(3, line, 70, 76)).toEqual({
    number: 3,
    column: 70,
    before: 'l'.repeat(60),
    text: 'needle',
    after: 'r'.repeat(60),
  })
})

test('a hit has less context at the ends of a line, and the first 120 characters of a long match', () => {
  expect(hitOf(1, 'a needle', 2, 8)).toMatchObject({ before: 'a ', text: 'needle', after: '' })
  expect(hitOf(1, 'x'.repeat(130), 0, 121)).toMatchObject({ before: '', text: 'x'.repeat(120), after: 'x'.repeat(9) })
})
