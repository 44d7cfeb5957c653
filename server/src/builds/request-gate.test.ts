import { expect, test } from 'vitest'
import { createGate } from './request-gate.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('runs so many at once, in order, and refuses beyond its places', async () => {
  const gate = createGate({ atOnce: 2, places: 3 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3, 4, 5].map((number) =>
    gate.run(
      () =>
        new Promise<number>((resolve) => {
          begun.push(number)
          ends.push(() => resolve(number))
        }),
    ),
  )
  await expect(all[5]).rejects.toMatchObject({ status: 503, retryAfter: 2 })
  expect(begun).toEqual([0, 1])
  for (const expected of [
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ]) {
    ends.shift()?.()
    await turn()
    expect(begun).toEqual(expected)
  }
  for (const end of ends) end()
  expect(await Promise.all(all.slice(0, 5))).toEqual([0, 1, 2, 3, 4])
  expect(await gate.run(async () => 'free')).toBe('free')
})

test('a failure gives its place free', async () => {
  const gate = createGate({ atOnce: 1, places: 0 })
  await expect(gate.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
  expect(await gate.run(async () => 'free')).toBe('free')
})
