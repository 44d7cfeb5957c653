import { expect, it } from 'vitest'

import { buildTitle, formatNumber, listOf } from './text.ts'

it('separates thousands only above 9,999', () => {
  expect([formatNumber(9_999), formatNumber(10_000), formatNumber(1_234_567)]).toEqual([
    '9999',
    '10\u2009000',
    '1\u2009234\u2009567',
  ])
})

it('separates like Intl', () => {
  const intl = new Intl.NumberFormat('en-US')
  const values = Array.from({ length: 1_000 }, (_, index) => 10_000 + index ** 4 * 7)
  expect(values.map(formatNumber)).toEqual(values.map((value) => intl.format(value).replaceAll(',', '\u2009')))
  expect(formatNumber(1_000_000)).toBe('1\u2009000\u2009000')
})

it('joins words in a sentence', () => {
  expect([listOf([]), listOf(['ada']), listOf(['ada', 'bob']), listOf(['ada', 'bob', 'cleo'])]).toEqual([
    '',
    'ada',
    'ada and bob',
    'ada, bob and cleo',
  ])
})

it('prefers the title, then the message', () => {
  expect(buildTitle({ title: 'Release', message: 'x' })).toBe('Release')
  expect(buildTitle({ title: '', message: 'one\ntwo' })).toBe('one')
  expect(buildTitle({})).toBe('')
})

it('is empty for invisible text, and keeps text without letters', () => {
  expect(buildTitle({ title: '\u200b ', message: '\u2060\n' })).toBe('')
  expect(buildTitle({ title: '\u200b', message: 'x' })).toBe('x')
  expect(buildTitle({ message: '🎉' })).toBe('🎉')
  expect(buildTitle({ message: '???' })).toBe('???')
})
