import { expect, it } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

it('accepts only the right password', async () => {
  const stored = await hashPassword('pässword')
  expect(stored).toMatch(/^scrypt\$32768\$8\$1\$/)
  expect(await isPassword('pa\u0308ssword', stored)).toBe(true)
  expect(await isPassword('password', stored)).toBe(false)
  expect(await isPassword('pässword', null)).toBe(false)
})

it('accepts hashes of a different cost', async () => {
  const cheap =
    'scrypt$1024$8$1$AAAA$' +
    (await import('node:crypto'))
      .scryptSync('x', Buffer.from('AAAA', 'base64url'), 32, { N: 1024 })
      .toString('base64url')
  expect(await isPassword('x', cheap)).toBe(true)
})

it('never makes the same hash twice', async () => {
  expect(await hashPassword('x')).not.toBe(await hashPassword('x'))
})
