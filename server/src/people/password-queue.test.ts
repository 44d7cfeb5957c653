import { expect, it } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { createPasswordQueue } from './password-queue.ts'

/** Work that ends when the test says so. */
function bench(limits = {}) {
  const line = createPasswordQueue({ waitMs: 600_000, ...limits })
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  return {
    begun,
    refused,
    come: (address: string, login: string, name = `${login}@${address}`): Promise<void> => {
      const work = () =>
        new Promise<void>((resolve) => {
          begun.push(name)
          ends.push(resolve)
        })
      return line.runYielding({ address, login }, work).catch((error: unknown) => {
        expect(error).toMatchObject({ status: 429, retryAfter: 2 })
        expect(error).toBeInstanceOf(Refusal)
        refused.push(name)
      })
    },
    finish: async (count = 1): Promise<void> => {
      for (let done = 0; done < count; done++) {
        await tick()
        ends.shift()?.()
        await tick()
      }
    },
    tick,
  }
}

it('works on one at a time', async () => {
  const { come, begun, finish, tick } = bench()
  for (const login of ['a', 'b', 'c']) void come('1.1.1.1', login)
  await tick()
  expect(begun).toEqual(['a@1.1.1.1'])
  await finish(2)
  expect(begun).toHaveLength(3)
})

it('serves an address with few attempts first, and busy addresses in turn', async () => {
  const { come, begun, finish } = bench()
  for (let guess = 0; guess < 40; guess++) void come('6.6.6.6', 'admin')
  for (let guess = 0; guess < 3; guess++) void come('7.7.7.7', 'admin')
  void come('1.1.1.1', 'ann')
  await finish(7)
  expect(begun.slice(0, 4)).toEqual(['admin@6.6.6.6', 'ann@1.1.1.1', 'admin@7.7.7.7', 'admin@7.7.7.7'])
  expect(begun.filter((name) => name === 'admin@7.7.7.7')).toHaveLength(3)
})

it('does the same for logins at one address, and for the last request', async () => {
  const { come, begun, finish } = bench()
  for (let guess = 0; guess < 200; guess++) void come('6.6.6.6', 'admin')
  void come('6.6.6.6', 'ann')
  void come('6.6.6.6', 'ADMIN', 'last')
  await finish(3)
  expect(begun.slice(1, 3)).toEqual(['ann@6.6.6.6', 'last'])
})

it('refuses the oldest request of the client with the most waiting requests', async () => {
  const { come, refused, finish, begun, tick } = bench({ maxWaiting: 5 })
  void come('9.9.9.9', 'x')
  void come('1.1.1.1', 'ann')
  for (let guess = 0; guess < 10; guess++) void come('6.6.6.6', 'admin', `guess ${guess}`)
  await tick()
  expect(refused).toEqual([0, 1, 2, 3, 4, 5].map((guess) => `guess ${guess}`))
  await finish(9)
  expect(begun).toContain('ann@1.1.1.1')
  expect(begun).toHaveLength(6)
})

it('refuses requests that wait too long', async () => {
  const { come, refused } = bench({ waitMs: 5 })
  void come('1.1.1.1', 'a')
  await come('1.1.1.1', 'b')
  expect(refused).toEqual(['b@1.1.1.1'])
})

it('continues after work that fails', async () => {
  const line = createPasswordQueue()
  const comer = { address: '', login: 'x' }
  const broken = line.runYielding(comer, () => Promise.reject(new Error('broken')))
  const next = line.runYielding(comer, async () => 'done')
  await expect(broken).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::1', '::2', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
])('%s and %s are one address: %s', async (one, other, same) => {
  const { come, begun, finish } = bench()
  void come(one, 'first')
  void come(one, 'a', 'theirs')
  void come('5.5.5.5', 'b', 'a third one')
  void come(one, 'c', 'theirs')
  void come(other, 'd', 'other')
  await finish(1)
  // Callers without a turn yet go first, the latest of them before the others.
  expect(begun[1]).toBe(same ? 'a third one' : 'other')
})
