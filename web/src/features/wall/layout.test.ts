import { expect, test } from 'vitest'

import { capacityOf, layoutOf } from './layout.ts'

test.each([
  [1440, 900],
  [1920, 1080],
])('24 tiles fit %d × %d without scrolling, and can be read', (width, height) => {
  expect(capacityOf(width - 88, height - 96)).toBe(24)
  const { columns, rows, font } = layoutOf(24, width - 88, height - 96)
  expect(columns * rows).toBeGreaterThanOrEqual(24)
  expect(font).toBeGreaterThanOrEqual(13)
})

test('few tiles are large, a phone shows fewer', () => {
  expect(layoutOf(1, 1300, 800)).toEqual({ columns: 1, rows: 1, font: 40 })
  expect(layoutOf(4, 1300, 800)).toMatchObject({ columns: 2, rows: 2 })
  expect(capacityOf(366, 700)).toBe(5)
  expect(layoutOf(5, 366, 700)).toMatchObject({ columns: 1, rows: 5 })
  expect(capacityOf(0, 0)).toBe(1)
  expect(layoutOf(0, 0, 0)).toEqual({ columns: 1, rows: 1, font: 13 })
})
