import { expect, test } from 'vitest'
import { countLoopTurns } from '../../testing/event-loop-during.ts'
import { newestOf } from './newest-refs.ts'

/** Creates `count` refs; `timeOf` gives the time of each. */
function changed(count: number, timeOf: (index: number) => number) {
  const changes = Array.from({ length: count }, (_, index) => ({ ref: `r${index}`, before: '', after: `sha${index}` }))
  return { changes, times: new Map(changes.map(({ after }, index) => [after, timeOf(index)])) }
}
const numbers = (refs: readonly { ref: string }[]) => refs.map(({ ref }) => Number(ref.slice(1)))

test.each([
  ['the later the newer', (index: number) => index],
  ['the later the older', (index: number) => -index],
  ['any', (index: number) => (index * 7_919) % 20_011],
  ['few different times', (index: number) => index % 3],
  ['all at once', () => 5],
])('of twenty thousand the newest fifty are built, of equal ones the last: %s', async (_, timeOf) => {
  const { changes, times } = changed(20_000, timeOf)
  const { built, skipped } = await newestOf(changes, times)
  const ordered = changes.toSorted((a, b) => (times.get(a.after) ?? 0) - (times.get(b.after) ?? 0))
  expect(built).toEqual(ordered.slice(-50))
  expect(new Set(skipped)).toEqual(new Set(ordered.slice(0, -50)))
  expect(skipped).toHaveLength(19_950)
})

test('up to fifty refs are all built, the newest last, and one without a time first', async () => {
  const { changes, times } = changed(50, (index) => 100 - index)
  times.delete('sha20')
  const { built, skipped, note } = await newestOf(changes, times)
  expect(numbers(built)).toEqual([
    20,
    ...numbers(changes)
      .filter((number) => number !== 20)
      .toReversed(),
  ])
  expect([skipped, note]).toEqual([[], undefined])
})

test('yields to the event loop while sorting many refs', async () => {
  const { changes, times } = changed(100_000, (index) => index)
  expect(await countLoopTurns(() => newestOf(changes, times))).toBeGreaterThan(10)
})
