import { expect, test } from 'vitest'
import type { PlanJob } from './jobs.ts'
import { createPlanCache } from './plan-cache.ts'

const input = { branch: 'main', event: 'push', action: '', ref: 'refs/heads/main', repo: 'a/b', target: '', cron: '' }
const job: PlanJob = { kind: 'plan', text: 'kind: pipeline', input, gate: 'open', secret: 'x' }

test('reads a file once for each text, branch, gate and secret', async () => {
  const plans = createPlanCache()
  let read = 0
  const ask = (other: Partial<PlanJob> = {}) => plans.of({ ...job, ...other }, async () => `answer ${(read += 1)}`)
  expect([await ask(), await ask()]).toEqual(['answer 1', 'answer 1'])
  const others: Partial<PlanJob>[] = [
    { input: { ...input, branch: 'other' } },
    { gate: 'closed' },
    { secret: 'y' },
    { text: 'kind: other' },
  ]
  for (const [index, other] of others.entries()) expect(await ask(other)).toBe(`answer ${index + 2}`)
  expect(await ask()).toBe('answer 1')
})

test('evicts the least recently used plan first, and caches no errors', async () => {
  const plans = createPlanCache(1_000)
  let read = 0
  const ask = (text: string) => plans.of({ ...job, text }, async () => `${(read += 1)}`)
  for (const text of ['a', 'b', 'c', 'a', 'd', 'a']) await ask(text)
  expect(read).toBe(4)
  await ask('b')
  expect(read).toBe(5)
  const fails = { ...job, text: 'fails' }
  await expect(plans.of(fails, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await plans.of(fails, async () => 'now')).toBe('now')
})

test('caches plans up to the limit, and none beyond it', async () => {
  // Each plan counts 300 characters more than its length.
  const plans = createPlanCache(1_000)
  const read: string[] = []
  const ask = (text: string, characters: number) =>
    plans.of({ ...job, text }, async () => {
      read.push(text)
      return 'x'.repeat(characters)
    })
  for (const text of ['a', 'b', 'a', 'b']) await ask(text, 200)
  expect(read).toEqual(['a', 'b'])
  await ask('c', 201)
  await ask('b', 200)
  expect(read).toEqual(['a', 'b', 'c', 'b'])
  await ask('all', 701)
  await ask('b', 200)
  await ask('all', 701)
  expect(read).toEqual(['a', 'b', 'c', 'b', 'all', 'all'])
})
