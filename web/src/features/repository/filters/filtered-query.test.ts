import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { readPage } from './filtered-query.ts'

const builds = (count: number): Build[] => Array.from({ length: count }, (_, n) => ({ number: n + 1 }) as Build)

/**
 * Reads a page of a history whose parts have so many matching builds each; without an end unless
 * `parts` ends.
 */
async function page(perPart: number, { parts = Infinity, aborted = false, abortedAfter = Infinity } = {}) {
  const asked: (number | undefined)[] = []
  const signal = { aborted }
  const read = await readPage(
    async (before) => {
      asked.push(before)
      if (asked.length === abortedAfter) signal.aborted = true
      return { items: builds(perPart), ...(asked.length < parts && { next: 1000 - asked.length }) }
    },
    undefined,
    signal,
  )
  return { asked, found: read.builds.length, next: read.next }
}

test('a page is full with 20 builds, and the next one starts after the last part', async () => {
  expect(await page(20)).toEqual({ asked: [undefined], found: 20, next: 999 })
  expect(await page(19)).toEqual({ asked: [undefined, 999], found: 38, next: 998 })
})

test('a page takes at most 25 requests, also without a match', async () => {
  const { asked, found, next } = await page(0)
  expect([asked.length, found, next]).toEqual([25, 0, 975])
})

test('the end of the history ends the page', async () => {
  expect(await page(1, { parts: 3 })).toEqual({ asked: [undefined, 999, 998], found: 3, next: undefined })
})

test('no request is made for a page that is no longer needed', async () => {
  expect((await page(1, { aborted: true })).asked).toEqual([])
  expect((await page(1, { abortedAfter: 2 })).asked).toHaveLength(2)
})
