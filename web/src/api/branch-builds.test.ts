import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { nearestOf } from './branch-builds.ts'

// Only these fields are read.
const build = (number: number, target = 'main', more: Partial<Build> = {}): Build =>
  ({ number, target, event: 'push', ref: `refs/heads/${target}`, ...more }) as Build

/** A server with these builds; counts the pages that were read. */
const server = (builds: readonly Build[]) => {
  const newestFirst = builds.toSorted((a, b) => b.number - a.number)
  const read: number[] = []
  return {
    read,
    readPage: async (page: number) => {
      read.push(page)
      return newestFirst.slice((page - 1) * 50, page * 50)
    },
  }
}
const numbered = (count: number, make = (number: number) => build(number)) =>
  Array.from({ length: count }, (_, index) => make(index + 1))

test('the nearest newer and older build of the branch, despite other builds between', async () => {
  const { readPage } = server([build(1), build(2, 'next'), build(3), build(4, 'next'), build(5, 'next'), build(6)])
  expect(await nearestOf(readPage, build(3), 1)).toBe(6)
  expect(await nearestOf(readPage, build(3), -1)).toBe(1)
  expect(await nearestOf(readPage, build(6), 1)).toBeUndefined()
  expect(await nearestOf(readPage, build(1), -1)).toBeUndefined()
})

test('a pull request has the same target as its base, but only moves between its own pushes', async () => {
  const pull = (number: number, id: number) =>
    build(number, 'main', { event: 'pull_request', ref: `refs/pull/${id}/head` })
  const { readPage } = server([build(1), pull(2, 7), pull(3, 8), build(4), pull(5, 7)])
  expect(await nearestOf(readPage, pull(2, 7), 1)).toBe(5)
  expect(await nearestOf(readPage, pull(5, 7), -1)).toBe(2)
  expect(await nearestOf(readPage, build(1), 1)).toBe(4)
})

test('the page of an old build is calculated; the neighbor can be on an adjacent page', async () => {
  const all = server(numbered(1000))
  expect(await nearestOf(all.readPage, build(401), 1)).toBe(402)
  expect(await nearestOf(all.readPage, build(400), -1)).toBe(399)
  expect(await nearestOf(all.readPage, build(401), -1)).toBe(400)
  expect(await nearestOf(all.readPage, build(400), 1)).toBe(401)
  expect(all.read.length).toBeLessThanOrEqual(12)
})

test('the nearest one is found if numbers are missing', async () => {
  // Two of three builds are deleted: the build is on an earlier page than its number suggests.
  const left = numbered(600, (number) => build(number * 3))
  const { readPage } = server(left)
  for (const number of [1500, 1503, 1650, 1653]) {
    expect(await nearestOf(readPage, build(number), 1)).toBe(number + 3)
    expect(await nearestOf(readPage, build(number), -1)).toBe(number - 3)
  }
})

test('it gives up after a number of pages', async () => {
  const many = server(numbered(5000, (number) => build(number, number === 1 || number === 5000 ? 'main' : 'next')))
  expect(await nearestOf(many.readPage, build(5000), -1)).toBeUndefined()
  expect(many.read.length).toBeLessThan(12)
})
