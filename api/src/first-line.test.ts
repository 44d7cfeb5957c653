import { expect, it } from 'vitest'
import { firstLine } from './first-line.ts'

it('takes the first line that says something', () => {
  expect(firstLine('\n fix \nmore')).toBe('fix')
  expect(firstLine('')).toBe('')
})
