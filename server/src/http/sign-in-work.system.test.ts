/**
 * A sign-in with an unknown name costs the same as with a known one; otherwise the time would
 * reveal which accounts exist.
 */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { hashPassword } from '../people/passwords.ts'
import { setPassword, updateUser } from '../store/users.ts'
import { createTestApp, passwordOf, type TestApp } from '../testing/test-app.ts'

/**
 * What each derivation of a key was asked for: nothing else at sign-in takes a time that could be
 * measured.
 */
const derived = vi.hoisted(() => ({ calls: [] as unknown[] }))
vi.mock('node:crypto', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:crypto')>()
  const scrypt: typeof real.scrypt = (password, salt, length, ...rest: unknown[]) => {
    const options = rest.length > 1 ? (rest[0] as object) : {}
    derived.calls.push({ bytes: Buffer.byteLength(salt), length, ...options })
    return (real.scrypt as (...all: unknown[]) => void)(password, salt, length, ...rest)
  }
  return { ...real, default: real, scrypt }
})

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  const { db } = app.bench
  const idOf = async (login: string) =>
    (await db.selectFrom('users').select('user_id').where('user_login', '=', login).executeTakeFirstOrThrow()).user_id
  await setPassword(db, await idOf('ann'), await hashPassword(passwordOf('ann')))
  await setPassword(db, await idOf('wes'), await hashPassword(passwordOf('wes')))
  await updateUser(db, await idOf('wes'), { active: false })
})
afterAll(() => app.close())
beforeEach(() => {
  derived.calls = []
})

const signIn = async (username: string, password: string) => {
  const response = await app.request('/login', { method: 'POST', form: { username, password } })
  const work = derived.calls
  derived.calls = []
  return { location: response.headers.get('location'), work }
}

it('does the same work, and says the same, for every name with a wrong password', async () => {
  const known = await signIn('ann', 'wrong')
  expect(known.work).toHaveLength(1)
  // An unknown name, an invited person without a password, a machine, a disabled account.
  for (const name of ['nobody-of-that-name', 'otto', 'robot', 'wes', 'x'.repeat(500)]) {
    expect([name, await signIn(name, 'wrong')]).toEqual([name, known])
  }
  expect((await signIn('ann', passwordOf('ann'))).location).toBe('/')
})
