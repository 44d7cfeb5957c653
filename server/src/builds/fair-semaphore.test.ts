import { expect, test } from 'vitest'
import { createFairSemaphore } from './fair-semaphore.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('runs so many at once, in order, and refuses more than can wait', async () => {
  const gate = createFairSemaphore({ concurrency: 2, maxWaiting: 3 })
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

test('a failure frees its slot', async () => {
  const gate = createFairSemaphore({ concurrency: 1, maxWaiting: 0 })
  await expect(gate.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
  expect(await gate.run(async () => 'free')).toBe('free')
})

test('of one owner one runs at a time, and the others do not wait for it', async () => {
  const gate = createFairSemaphore({ concurrency: 2, maxWaiting: 10 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, owner?: number) =>
    gate.run(() => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }, owner)
  const end = async (name: string) => {
    ends.get(name)?.()
    await turn()
  }
  const all = [
    run('slow 1', 1),
    run('slow 2', 1),
    run('slow 3', 1),
    run('other 1', 2),
    run('other 2', 2),
    run('nobody'),
  ]
  expect(begun).toEqual(['slow 1', 'other 1'])
  await end('other 1')
  expect(begun).toEqual(['slow 1', 'other 1', 'other 2'])
  await end('slow 1')
  await end('other 2')
  expect(begun).toEqual(['slow 1', 'other 1', 'other 2', 'slow 2', 'nobody'])
  all.push(run('nobody 2'))
  await end('nobody')
  expect(begun.slice(5)).toEqual(['nobody 2'])
  await end('slow 2')
  for (const name of ['slow 3', 'nobody 2']) await end(name)
  await Promise.all(all)
  expect(begun.slice(5)).toEqual(['nobody 2', 'slow 3'])
})
