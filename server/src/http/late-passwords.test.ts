/**
 * A sign-in that waits in the queue of passwords is judged by what is true at its turn, not by what
 * was true at its start.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startSession } from '../people/sessions.ts'
import { findPassword, findUserByLogin } from '../store/users.ts'
import { createTestApp, passwordOf, type TestApp } from '../testing/test-app.ts'

let app: TestApp
/** Resolves when a password waits in the queue. */
let stands: Promise<void>
let goOn: () => void
beforeEach(async () => {
  let came = () => {}
  stands = new Promise((resolve) => {
    came = resolve
  })
  const open = new Promise<void>((resolve) => {
    goOn = resolve
  })
  app = await createTestApp({
    passwords: true,
    passwordLine: {
      async runYielding(_comer, work) {
        came()
        const done = await work()
        // It takes its time, and others work in the meantime.
        await open
        return done
      },
    },
  })
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const rae = async () => (await findUserByLogin(app.bench.db, 'rae')) ?? expect.fail('nobody')
const boss = async (method: string, path: string, json: object = {}) =>
  expect((await app.answer(path, { as: 'boss', method, json }))[0]).toBeLessThan(300)
const sessions = async () => (await app.bench.db.selectFrom('sessions').selectAll().execute()).length
const signIn = () => app.request('/login', { method: 'POST', form: { username: 'rae', password: passwordOf('rae') } })

it.each([
  ['reset', () => boss('POST', '/api/users/rae/invitation')],
  ['closed', () => boss('PATCH', '/api/users/rae', { active: false })],
  ['deleted', () => boss('DELETE', '/api/users/rae')],
])('a password whose account is %s meanwhile opens no session', async (_word, act) => {
  const answer = signIn()
  await stands
  await act()
  goOn()
  const { headers } = await answer
  expect(headers.get('location')).toMatch(/^\/login\/error/)
  expect(headers.get('set-cookie')).toBeNull()
  expect(await sessions()).toBe(0)
})

it.each([
  ['reset', () => boss('POST', '/api/users/rae/invitation')],
  ['closed', () => boss('PATCH', '/api/users/rae', { active: false })],
])('an old password whose account is %s meanwhile sets no new one @system', async (_word, act) => {
  const user = await rae()
  const Cookie = `_session_=${await startSession(app.bench.db, user, app.bench.clock.now)}`
  const json = { old_password: passwordOf('rae'), password: 'the password of a thief' }
  const answer = app.answer('/api/user/password', { method: 'PUT', headers: { Cookie }, json })
  await stands
  await act()
  const before = await findPassword(app.bench.db, user.id)
  goOn()
  expect(await answer).toEqual([400, { message: 'The current password is not correct' }])
  expect(await findPassword(app.bench.db, user.id)).toBe(before)
})

it('a single person is not limited @system', async () => {
  goOn()
  expect((await signIn()).headers.get('location')).toBe('/')
  const json = { old_password: passwordOf('rae'), password: 'a password of my own' }
  expect((await app.answer('/api/user/password', { as: 'rae', method: 'PUT', json }))[0]).toBe(204)
})
