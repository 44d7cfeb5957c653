import { expect, it } from 'vitest'
import { firstLine } from './first-line.ts'

it('returns the first line that is not blank', () => {
  expect(firstLine('\n fix \nmore')).toBe('fix')
  expect(firstLine('')).toBe('')
})
