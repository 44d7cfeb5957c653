import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('whoever has much to do goes to the end of the line after each part', async () => {
  const work: Record<string, number> = { much: 3, little: 1, other: 2 }
  const done: string[] = []
  const turns = createFairQueue<string>(1, async (name) => {
    done.push(name)
    work[name] = (work[name] ?? 0) - 1
    return (work[name] ?? 0) > 0
  })
  for (const name of ['much', 'little', 'other', 'much']) turns.add(name)
  await settled()
  expect(done).toEqual(['much', 'little', 'other', 'much', 'other', 'much'])
  expect(turns.has('much')).toBe(false)
})

test('no more are at work at once than may be, and a failure ends only its own turn', async () => {
  let atWork = 0
  let max = 0
  const done: number[] = []
  const turns = createFairQueue<number>(2, async (number) => {
    atWork += 1
    max = Math.max(max, atWork)
    await settled()
    atWork -= 1
    if (number === 1) throw new Error('its own')
    done.push(number)
    return false
  })
  for (let number = 0; number < 6; number += 1) turns.add(number)
  while (turns.has(5)) await settled()
  expect(max).toBe(2)
  expect(done).toEqual([0, 2, 3, 4, 5])
})

test('a stop waits for those at work and lets nobody in', async () => {
  const done: string[] = []
  const turns = createFairQueue<string>(1, async (name) => {
    await settled()
    done.push(name)
    return true
  })
  for (const name of ['one', 'two']) turns.add(name)
  await turns.stop()
  turns.add('three')
  await settled()
  expect(done).toEqual(['one'])
})
