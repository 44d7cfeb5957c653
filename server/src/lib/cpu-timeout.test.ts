import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { onceUsedUp } from './cpu-timeout.ts'

it('a time limit that is set again and again leaves no listener behind', async () => {
  const { signal } = new AbortController()
  for (let times = 0; times < 3; times += 1) await new Promise<void>((resolve) => onceUsedUp(1, signal, resolve))
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('an aborted job is not told that its time is used up', async () => {
  const job = new AbortController()
  let isUsedUp = false
  onceUsedUp(1, job.signal, () => (isUsedUp = true))
  job.abort()
  await new Promise<void>((resolve) => onceUsedUp(20, new AbortController().signal, resolve))
  expect(isUsedUp).toBe(false)
})
