import { expect, test } from 'vitest'

import { scrollTopToShow } from './scroll-row-into-view.ts'

const view = { top: 100, height: 200 }

test('a row that is visible with its neighbors does not scroll', () => {
  for (const top of [140, 180, 220]) expect(scrollTopToShow(view, { top, height: 40 }, 40)).toBe(100)
})

test('a hidden row scrolls the shortest way, with its neighbor', () => {
  expect(scrollTopToShow(view, { top: 400, height: 40 }, 40)).toBe(280)
  expect(scrollTopToShow(view, { top: 260, height: 40 }, 40)).toBe(140)
  expect(scrollTopToShow(view, { top: 90, height: 40 }, 40)).toBe(50)
  // Without a margin it scrolls only as far as the row itself is hidden.
  expect(scrollTopToShow(view, { top: 270, height: 40 }, 0)).toBe(110)
  expect(scrollTopToShow(view, { top: 260, height: 40 }, 0)).toBe(100)
})

test('the first row has nothing above it', () => {
  expect(scrollTopToShow(view, { top: 10, height: 40 }, 40)).toBe(0)
})
