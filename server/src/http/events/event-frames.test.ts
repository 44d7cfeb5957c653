import { expect, it } from 'vitest'
import { framesOf, latestOfEach } from './event-frames.ts'

const queued = (sequence: number, buildId: number, json = `${buildId}.${sequence}`) => ({
  sequence,
  message: { repoId: 1, buildId, slug: 'a/b', visibility: 'public' as const, json },
})
const sequences = (all: ReturnType<typeof latestOfEach>) => all.map(({ sequence }) => sequence)

it('all states of a build are sent, unless more than a megabyte is pending: then the last one, in its place', () => {
  expect(sequences(latestOfEach([queued(1, 7), queued(2, 8), queued(3, 7)]))).toEqual([1, 2, 3])
  const large = 'x'.repeat(400_000)
  expect(sequences(latestOfEach([queued(1, 7, large), queued(2, 8, large), queued(3, 7, large)]))).toEqual([2, 3])
})

it('readers that see the same get the same bytes, and those that see nothing none', () => {
  const all = [queued(1, 7), queued(2, 8)]
  const frames = framesOf(all)
  const text = (seen: boolean[]) => Buffer.from(frames(seen)?.bytes ?? []).toString()
  expect([text([true, true]), text([false, true])]).toEqual(['data: 7.1\n\ndata: 8.2\n\n', 'data: 8.2\n\n'])
  expect(frames([true, true])).toBe(frames([true, true]))
  expect(frames([false, false])).toBeNull()
})

it('recent events are encoded once for several new readers', () => {
  const all = [queued(0, 7), queued(0, 8)]
  expect(framesOf(all)([true, true])).toBe(framesOf([...all])([true, true]))
})
