import { expect, test } from 'vitest'

import { criticalPath, markedOf, pathTimes, type Timed } from './critical-path.ts'

/** 0 means that there is no time. */
const base = 1_000
const timed = (number: number, started: number, stopped: number, more: Partial<Timed> = {}): Timed => ({
  number,
  name: `s${number}`,
  status: stopped ? 'success' : 'running',
  started: started && started + base,
  stopped: stopped && stopped + base,
  ...more,
})
const after = (...numbers: number[]) => ({ depends_on: numbers.map((number) => `s${number}`) })
const pathOf = (items: Timed[]) => [...criticalPath(items)].toSorted((a, b) => a - b)

test('goes from the item that ended last through the dependencies that each waited for longest', () => {
  const items = [timed(1, 10, 20), timed(2, 10, 80), timed(3, 10, 300), timed(4, 85, 400, after(1, 2))]
  expect(pathOf(items)).toEqual([2, 4])
})

test('is not the largest sum: an item that ended while another waited for its runner delayed nothing', () => {
  expect(pathOf([timed(1, 1, 100), timed(2, 90, 110), timed(3, 110, 120, after(1, 2))])).toEqual([2, 3])
})

test('of chains that end together, it is the one with the longest total time', () => {
  const items = [
    timed(1, 10, 12),
    timed(2, 12, 15, after(1)),
    timed(3, 16, 18, after(2)),
    timed(4, 15, 18, after(2)),
    timed(5, 18, 21, after(3)),
    timed(6, 18, 21, after(4)),
  ]
  expect(pathOf(items)).toEqual([1, 2, 4, 6])
  expect(pathOf(items.toReversed())).toEqual([1, 2, 4, 6])
})

test('without dependencies it goes in order, through items that ended before the next one started', () => {
  expect(pathOf([timed(1, 1, 5), timed(2, 5, 6), timed(3, 6, 9)])).toEqual([1, 2, 3])
  expect(pathOf([timed(1, 1, 5), timed(2, 5, 5), timed(3, 5, 9)])).toEqual([1, 2, 3])
  // In parallel: only one of them delayed the end.
  expect(pathOf([timed(1, 1, 5), timed(2, 1, 9), timed(3, 1, 7)])).toEqual([2])
})

test('of an unfinished build ends at a running stage, the oldest of several', () => {
  expect(pathOf([timed(1, 1, 900), timed(2, 10, 0)])).toEqual([2])
  expect(pathOf([timed(1, 10, 0, after(3)), timed(2, 5, 0, after(3)), timed(3, 1, 5)])).toEqual([2, 3])
})

test('excludes items that did not run here, and services', () => {
  const items = [
    timed(1, 1, 50, { taken_over: 7 }),
    timed(2, 60, 70, after(1)),
    timed(3, 60, 90, { detached: true }),
    timed(4, 95, 95, { status: 'skipped', ...after(2) }),
    timed(5, 0, 0, { status: 'pending' }),
  ]
  expect(pathOf(items)).toEqual([2])
  expect(pathOf([])).toEqual([])
})

test('a cycle does not hang', () => {
  expect(pathOf([timed(1, 1, 5, after(2)), timed(2, 1, 5, after(1))])).toEqual([1, 2])
})

test('a chain of ten thousand does not overflow the stack', () => {
  const items = (needs: (number: number) => Partial<Timed>) =>
    Array.from({ length: 10_000 }, (_, index) => timed(index + 1, index + 1, index + 2, needs(index + 1)))
  expect(pathOf(items((number) => after(number - 1)))).toEqual([])
  expect(pathOf(items(() => ({})))).toEqual([])
})

test('has a label if not all stages are on it', () => {
  const items = [timed(1, 1, 5), timed(2, 5, 6)]
  expect(markedOf(items, criticalPath(items)).size).toBe(0)
  expect([...markedOf(items, new Set([1]))]).toEqual([1])
})

test('a Go server can send null for no dependencies', () => {
  const nothing = { depends_on: null } as unknown as Partial<Timed>
  expect(pathOf([timed(1, 0, 10, nothing), timed(2, 10, 20, after(1))])).toEqual([2])
  expect(pathOf([timed(1, 1, 10, nothing), timed(2, 10, 20, after(1))])).toEqual([1, 2])
})

const skipped = (number: number, ...needs: number[]) => timed(number, 64, 64, { status: 'skipped', ...after(...needs) })

test('goes through skipped items to their dependencies', () => {
  expect(pathOf([timed(1, 1, 64), skipped(2, 1), timed(3, 64, 65, after(2))])).toEqual([1, 3])
  // Several, in a row and in parallel.
  const items = [
    timed(1, 1, 10),
    timed(2, 1, 64),
    skipped(3, 1),
    skipped(4, 3, 2),
    skipped(5, 4),
    timed(6, 64, 65, after(5, 3)),
  ]
  expect(pathOf(items)).toEqual([2, 6])
  expect(pathOf([timed(1, 1, 64), { ...skipped(2, 1), started: 0, stopped: 0 }, timed(3, 64, 65, after(2))])).toEqual([
    1, 3,
  ])
  // A cycle of them does not hang.
  expect(pathOf([skipped(1, 2), skipped(2, 1), timed(3, 64, 65, after(2))])).toEqual([3])
  // A reused item took no time here, and neither did anything before it.
  expect(pathOf([timed(1, 1, 64), { ...skipped(2, 1), taken_over: 7 }, timed(3, 64, 65, after(2))])).toEqual([3])
})

test('separates waiting for a runner from waiting for an approval', () => {
  const created = base
  const times = (path: Timed[], now = base + 100) => pathTimes(path, { created, now })
  expect(times([timed(1, 10, 30), timed(2, 35, 65, after(1))])).toEqual({ ran: 50, forRunner: 15, forApproval: 0 })
  expect(times([timed(1, 30, 40, { approved: base + 20 })])).toEqual({ ran: 10, forRunner: 10, forApproval: 20 })
  // Approved before it could start, so the approval delayed nothing.
  expect(times([timed(1, 1, 30), timed(2, 50, 60, { approved: base + 10, ...after(1) })])).toEqual({
    ran: 39,
    forRunner: 21,
    forApproval: 0,
  })
  expect(times([timed(1, 10, 0)])).toEqual({ ran: 90, forRunner: 10, forApproval: 0 })
  expect(times([])).toEqual({ ran: 0, forRunner: 0, forApproval: 0 })
})
