import * as schema from '@flightdeck/api/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOfToken } from '../../people/sessions.ts'
import { createTestApp, passwordOf, tokenOf, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ passwords: true })
})
afterAll(async () => {
  await app.close()
  expect(app.failures).toEqual([])
})

const asBoss = (method: string, path: string, json?: unknown) => app.answer(path, { as: 'boss', method, json })
const signIn = async (username: string, password: string) => {
  const response = await app.request('/login', { method: 'POST', form: { username, password } })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { target: response.headers.get('location'), cookie }
}
const mayEnter = async (username: string, password: string) => (await signIn(username, password)).target === '/'
const isSignedIn = async (Cookie: string) => (await app.request('/api/user', { headers: { Cookie } })).status === 200
const valueOf = (body: unknown): string => new URL((body as { url: string }).url).hash.slice(1)
const newPerson = async (login: string): Promise<string> => {
  const [, body] = await asBoss('POST', '/api/users', { login })
  return valueOf((body as { invitation: unknown }).invitation)
}
const take = (invitation: unknown, password: unknown) =>
  app.answer('/api/invitation', { method: 'PUT', json: { invitation, password } })
const notValid = [
  404,
  { message: 'This invitation is no longer valid: it was already used, was replaced, or expired after 24 hours' },
]

describe('an invitation', () => {
  it('comes with a new person, not with a machine, and only once', async () => {
    const [, person] = await asBoss('POST', '/api/users', { login: 'zoe' })
    expect(person).toMatchObject({
      login: 'zoe',
      has_password: false,
      invitation: { url: expect.stringMatching(/^http:\/\/ci\.example\.com\/login\/invite#\w{32}$/) },
    })
    expect(schema.createdUser.safeParse(person).error).toBeUndefined()
    expect((person as { invitation: { expires: number } }).invitation.expires).toBe(app.bench.clock.now + 86_400)
    expect((await asBoss('POST', '/api/users', { login: 'robot-2', machine: true }))[1]).not.toHaveProperty(
      'invitation',
    )
    for (const path of ['/api/users/zoe', '/api/users']) {
      expect(JSON.stringify((await asBoss('GET', path))[1])).not.toContain('invitation')
    }
  })

  it('sets the password, signs in, and is used up @system', async () => {
    const value = await newPerson('yan')
    expect(await app.answer('/api/invitation', { method: 'POST', json: { invitation: value } })).toEqual([
      200,
      { login: 'yan', expires: app.bench.clock.now + 86_400 },
    ])
    expect(await mayEnter('yan', 'a new password')).toBe(false)
    const response = await app.request('/api/invitation', {
      method: 'PUT',
      json: { invitation: value, password: 'a new password' },
    })
    expect(response.status).toBe(204)
    const Cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await app.answer('/api/user', { headers: { Cookie } })).toMatchObject([
      200,
      { login: 'yan', has_password: true },
    ])
    expect(await mayEnter('yan', 'a new password')).toBe(true)
    expect(await take(value, 'another password')).toEqual(notValid)
    expect(await app.answer('/api/invitation', { method: 'POST', json: { invitation: value } })).toEqual(notValid)
  })

  it('is refused from another site, with any token', async () => {
    const value = await newPerson('led')
    const json = { invitation: value, password: 'a new password' }
    const headers = { Origin: 'https://evil.example' }
    const path = `/api/invitation?access_token=${tokenOf('rae')}`
    expect((await app.request(path, { method: 'PUT', json, headers })).status).toBe(403)
    expect((await app.request('/api/invitation', { as: 'rae', method: 'PUT', json, headers })).status).toBe(403)
    expect((await take(value, 'a new password'))[0]).toBe(204)
  })

  it('ends after 24 hours', async () => {
    const value = await newPerson('xia')
    const start = app.bench.clock.now
    app.bench.clock.now = start + 86_400
    expect(await take(value, 'a new password')).toEqual(notValid)
    app.bench.clock.now = start + 86_399
    expect((await take(value, 'a new password'))[0]).toBe(204)
    app.bench.clock.now = start
  })

  it('sets one password only, also when two come at once @system', async () => {
    const value = await newPerson('two')
    const answers = await Promise.all([take(value, 'password one'), take(value, 'password two')])
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([204, 404]))
  })

  it('does not work for a blocked person', async () => {
    const value = await newPerson('gone')
    await asBoss('PATCH', '/api/users/gone', { active: false })
    expect(await take(value, 'a new password')).toEqual(notValid)
  })

  it.each([
    ['short', 'A password needs at least 8 characters'],
    ['x'.repeat(1001), 'A password can have at most 1000 characters'],
    [5, 'json: cannot unmarshal number into Go struct field invitation.password of type string'],
  ])('takes no password that is no good, and stays', async (password, message) => {
    const value = await newPerson(`p-${message.length}`)
    expect(await take(value, password)).toEqual([400, { message }])
    expect((await take(value, 'a new password'))[0]).toBe(204)
  })

  it.each([undefined, '', 'nonsense', hashOfToken('nonsense')])('with the value %s there is none', async (value) => {
    expect(await take(value, 'a new password')).toEqual(notValid)
  })

  it('is kept as a hash only', async () => {
    const value = await newPerson('hash')
    const rows = JSON.stringify(await app.bench.db.selectFrom('invitations').selectAll().execute())
    expect(rows).not.toContain(value)
    expect(rows).toContain(hashOfToken(value))
  })
})

describe('a reset', () => {
  it('ends the old password, the sessions and the link before @system', async () => {
    const before = await newPerson('rex')
    await take(before, 'the old password')
    const { cookie } = await signIn('rex', 'the old password')
    const [status, first] = await asBoss('POST', '/api/users/rex/invitation')
    expect(status).toBe(200)
    expect(await isSignedIn(cookie)).toBe(false)
    expect(await mayEnter('rex', 'the old password')).toBe(false)
    const [, second] = await asBoss('POST', '/api/users/REX/invitation')
    expect(await take(valueOf(first), 'the new password')).toEqual(notValid)
    expect((await take(valueOf(second), 'the new password'))[0]).toBe(204)
    expect(await mayEnter('rex', 'the new password')).toBe(true)
  })

  it('is neither for machines nor for guests', async () => {
    expect(await asBoss('POST', '/api/users/robot/invitation')).toEqual([
      400,
      { message: 'Machine users can sign in only with a token' },
    ])
    expect(await asBoss('POST', '/api/users/nope/invitation')).toEqual([404, { message: 'sql: no rows in result set' }])
  })
})

describe('a change of the own password', () => {
  const change = (as: Person | undefined, json: unknown, headers = {}) =>
    app.answer('/api/user/password', { ...(as && { as }), method: 'PUT', json, headers })

  it('needs the old one, keeps this session and ends the others @system', async () => {
    const [here, there] = [await signIn('wes', passwordOf('wes')), await signIn('wes', passwordOf('wes'))]
    const json = { old_password: passwordOf('wes'), password: 'something else' }
    expect(await change(undefined, { ...json, old_password: 'wrong' }, { Cookie: here.cookie })).toEqual([
      400,
      { message: 'The current password is not correct' },
    ])
    expect(await isSignedIn(there.cookie)).toBe(true)
    expect(await change(undefined, json, { Cookie: here.cookie })).toEqual([204, ''])
    expect([await isSignedIn(here.cookie), await isSignedIn(there.cookie)]).toEqual([true, false])
    expect([await mayEnter('wes', passwordOf('wes')), await mayEnter('wes', 'something else')]).toEqual([false, true])
  })

  it('cannot be had without one', async () => {
    const json = { old_password: '', password: 'something else' }
    expect(await change('robot', { ...json, old_password: 'x' })).toEqual([
      400,
      { message: 'The current password is not correct' },
    ])
    expect(await change('ann', json)).toEqual([400, { message: 'The current password is not correct' }])
    expect(await change('ann', { old_password: passwordOf('ann') })).toEqual([
      400,
      { message: 'A password needs at least 8 characters' },
    ])
    expect((await change(undefined, json))[0]).toBe(401)
  })
})
