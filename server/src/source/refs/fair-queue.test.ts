import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('an item with more work goes to the end of the queue after each part', async () => {
  const work: Record<string, number> = { much: 3, little: 1, other: 2 }
  const done: string[] = []
  const queue = createFairQueue<string>(1, async (name) => {
    done.push(name)
    work[name] = (work[name] ?? 0) - 1
    return (work[name] ?? 0) > 0
  })
  for (const name of ['much', 'little', 'other', 'much']) queue.add(name)
  await settled()
  expect(done).toEqual(['much', 'little', 'other', 'much', 'other', 'much'])
  expect(queue.has('much')).toBe(false)
})

test('concurrency is limited, and an error ends only the part that failed', async () => {
  let running = 0
  let max = 0
  const done: number[] = []
  const queue = createFairQueue<number>(2, async (number) => {
    running += 1
    max = Math.max(max, running)
    await settled()
    running -= 1
    if (number === 1) throw new Error('its own')
    done.push(number)
    return false
  })
  for (let number = 0; number < 6; number += 1) queue.add(number)
  while (queue.has(5)) await settled()
  expect(max).toBe(2)
  expect(done).toEqual([0, 2, 3, 4, 5])
})

test('a stop waits for running items and starts no others', async () => {
  const done: string[] = []
  const queue = createFairQueue<string>(1, async (name) => {
    await settled()
    done.push(name)
    return true
  })
  for (const name of ['one', 'two']) queue.add(name)
  await queue.stop()
  queue.add('three')
  await settled()
  expect(done).toEqual(['one'])
})
