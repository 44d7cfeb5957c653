import { expect, test } from 'vitest'
import { timeoutChoices, timeoutLabel } from './timeouts.ts'

test('minutes up to 90, hours above', () => {
  expect([15, 60, 90, 120, 1080, 4320].map(timeoutLabel)).toEqual([
    '15 minutes',
    '60 minutes',
    '90 minutes',
    '2 hours',
    '18 hours',
    '72 hours',
  ])
})

test('the choices are in the order given', () => {
  const choices = timeoutChoices(60)
  expect(choices).toHaveLength(19)
  expect(choices[0]).toEqual({ value: '15', label: '15 minutes' })
  expect(choices.at(-1)).toEqual({ value: '4320', label: '72 hours' })
})

test('a value that is not among the choices is kept', () => {
  expect(timeoutChoices(100).at(-1)).toEqual({ value: '100', label: '1 hour 40 minutes' })
  expect(timeoutChoices(0)).toHaveLength(19)
})
