/** What the looks of many readers cost the others. */
import { expect, it } from 'vitest'
import { remembered } from './stream-rights.ts'

const rights = { version: () => 1, onLoss: () => () => undefined }
const never = () => 0

it('readers with the same rights need one query, also while it runs', async () => {
  let looks = 0
  const see = remembered(
    rights,
    never,
    async (repo: number) => {
      looks += 1
      await Promise.resolve()
      return repo === 1
    },
    (repo) => repo,
  )
  const answers = await Promise.all([see(1), see(1), see(2), see(1)])
  expect([answers, looks]).toEqual([[true, true, false, true], 2])
})

it('readers query one after the other: other queries wait for one of them, not for all', async () => {
  let running = 0
  let maxConcurrency = 0
  const reader = () =>
    remembered(
      rights,
      never,
      async () => {
        running += 1
        maxConcurrency = Math.max(maxConcurrency, running)
        await Promise.resolve()
        running -= 1
        return true
      },
      () => 0,
    )
  await Promise.all(Array.from({ length: 20 }, () => reader()(undefined)))
  expect(maxConcurrency).toBe(1)
})

it('a failed query affects one reader, and the next one queries again', async () => {
  let looks = 0
  const see = remembered(
    rights,
    never,
    () => {
      looks += 1
      return looks === 1 ? Promise.reject(new Error('locked')) : Promise.resolve(true)
    },
    () => 0,
  )
  await expect(see(undefined)).rejects.toThrow('locked')
  expect(await see(undefined)).toBe(true)
})
