import { expect, test } from 'vitest'

import { newLineTicks } from './new-line-ticks.ts'

const shown = (newLines: readonly number[], lines: number) =>
  newLineTicks(Uint32Array.from(newLines), lines).map(({ from, count }) => `${from}+${count}`)

test('each new line is in its hundredth of the log, and adjacent ones are one tick', () => {
  expect(shown([4, 199, 200], 442)).toEqual(['0+1', '45+1'])
  expect(shown([0, 99, 100, 999], 1000)).toEqual(['0+1', '9+2', '99+1'])
  expect(shown([], 442)).toEqual([])
})

test('a log with fewer lines than hundredths has ticks as well', () => {
  expect(shown([0, 2], 3)).toEqual(['0+1', '66+1'])
  expect(shown([0], 1)).toEqual(['0+1'])
})

test('the number of ticks is limited, however many lines are new', () => {
  const every = (step: number) => Array.from({ length: 10_000 / step }, (_, index) => index * step)
  expect(shown(every(1), 10_000)).toEqual(['0+100'])
  expect(shown(every(200), 10_000)).toHaveLength(50)
})
