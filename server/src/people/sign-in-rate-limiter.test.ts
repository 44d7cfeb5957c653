import { expect, it } from 'vitest'
import { createSignInRateLimiter } from './sign-in-rate-limiter.ts'

function bench() {
  const clock = { now: 1000 }
  const waits: number[] = []
  const limiter = createSignInRateLimiter(
    () => clock.now,
    async (ms) => void waits.push(ms),
  )
  return { clock, waits, limiter }
}

it('slows guesses on one login down, more and more, with a maximum', async () => {
  const { waits, limiter } = bench()
  for (let guess = 0; guess < 12; guess++) await limiter.enter('ann', `address ${guess}`)()
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, 4000, 4000])
})

it('slows guesses at the same time down, too', async () => {
  const { waits, limiter } = bench()
  await Promise.all(Array.from({ length: 6 }, () => limiter.enter('ANN', '10.0.0.1')()))
  expect(waits).toEqual([250, 500, 1000])
})

it('slows an address down that tries many logins', async () => {
  const { waits, limiter } = bench()
  for (let guess = 0; guess < 22; guess++) await limiter.enter(`login ${guess}`, '10.0.0.1')()
  expect(waits).toEqual([250, 500])
})

it('forgets after a right password, and after a quarter of an hour', async () => {
  const { clock, waits, limiter } = bench()
  for (let guess = 0; guess < 4; guess++) await limiter.enter('ann', '')()
  limiter.succeeded('ann', '')
  await limiter.enter('ann', '')()
  expect(waits).toEqual([250])
  for (let guess = 0; guess < 3; guess++) await limiter.enter('bob', '')()
  clock.now += 15 * 60
  await limiter.enter('bob', '')()
  expect(waits).toEqual([250])
})

it('remembers 10,000 logins and addresses, and forgets the one that was not seen for longest', async () => {
  const { waits, limiter } = bench()
  for (let guess = 0; guess < 4; guess++) await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250])
  // Each attempt counts a login and an address: with the two of Ann these are all that there is room for.
  for (let guess = 1; guess < 5_000; guess++) await limiter.enter(`login ${guess}`, `address ${guess}`)()
  await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250, 500])
  // She was seen last, so that she stays while the others go.
  for (let guess = 1; guess < 5_000; guess++) await limiter.enter(`later login ${guess}`, `later address ${guess}`)()
  await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250, 500, 1000])
  for (let guess = 0; guess < 5_000; guess++) await limiter.enter(`last login ${guess}`, `last address ${guess}`)()
  await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250, 500, 1000])
})
