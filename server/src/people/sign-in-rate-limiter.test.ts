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

it('delays guesses for one login, with backoff up to a maximum', async () => {
  const { waits, limiter } = bench()
  for (let guess = 0; guess < 12; guess++) await limiter.enter('ann', `address ${guess}`)()
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, 4000, 4000])
})

it('delays concurrent guesses, too', async () => {
  const { waits, limiter } = bench()
  await Promise.all(Array.from({ length: 6 }, () => limiter.enter('ANN', '10.0.0.1')()))
  expect(waits).toEqual([250, 500, 1000])
})

it('delays an address that tries many logins', async () => {
  const { waits, limiter } = bench()
  for (let guess = 0; guess < 22; guess++) await limiter.enter(`login ${guess}`, '10.0.0.1')()
  expect(waits).toEqual([250, 500])
})

it('resets after a right password, and after a quarter of an hour', async () => {
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

it('tracks 10,000 logins and addresses, and discards the least recently used', async () => {
  const { waits, limiter } = bench()
  for (let guess = 0; guess < 4; guess++) await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250])
  // Each attempt counts a login and an address: with the two of Ann the limit is reached.
  for (let guess = 1; guess < 5_000; guess++) await limiter.enter(`login ${guess}`, `address ${guess}`)()
  await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250, 500])
  // Ann is the most recently used, so others are discarded.
  for (let guess = 1; guess < 5_000; guess++) await limiter.enter(`later login ${guess}`, `later address ${guess}`)()
  await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250, 500, 1000])
  for (let guess = 0; guess < 5_000; guess++) await limiter.enter(`last login ${guess}`, `last address ${guess}`)()
  await limiter.enter('ann', 'address 0')()
  expect(waits).toEqual([250, 500, 1000])
})
