import type { AccessToken, CreatedAccessToken, Session } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startSession } from '../../people/sessions.ts'
import { expireAccessTokens } from '../../store/access-tokens.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { sessionCookie } from '../authenticate.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ passwords: true })
})
afterEach(() => app.close())

const create = async (as: Person, json: { name: string; expires?: number }): Promise<CreatedAccessToken> => {
  const [status, body] = await app.answer('/api/user/tokens', { as, method: 'POST', json })
  expect(status).toBe(200)
  return body as CreatedAccessToken
}
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const statusWith = async (token: string, path = '/api/user') => (await app.request(path, bearer(token))).status
const list = async (as: Person) => (await app.answer('/api/user/tokens', { as }))[1] as AccessToken[]
const signIn = async (login: Person, agent = 'Firefox') => {
  const response = await app.request('/login', {
    method: 'POST',
    form: { username: login, password: `password of ${login}` },
    headers: { 'user-agent': agent },
  })
  const cookie = response.headers.getSetCookie().find((text) => text.includes(sessionCookie)) ?? ''
  return { cookie: cookie.split(';')[0] ?? '' }
}

it('a named token works wherever the personal one does, and its value is shown once', async () => {
  const { token, ...made } = await create('rae', { name: ' deploy script ' })
  expect(made).toEqual({ id: made.id, name: 'deploy script', created: app.bench.clock.now, expires: 0, last_used: 0 })
  expect(await statusWith(token)).toBe(200)
  expect(await statusWith(token, '/api/repos/acme/web')).toBe(200)
  expect((await app.request(`/api/user?access_token=${token}`)).status).toBe(200)
  expect(await list('rae')).toEqual([{ ...made, last_used: app.bench.clock.now }])
  const { rows } = await app.bench.db
    .selectFrom('access_tokens')
    .selectAll()
    .execute()
    .then((found) => ({ rows: found }))
  expect(JSON.stringify(rows)).not.toContain(token)
  // The personal one stays.
  expect(await app.answer('/api/user', { as: 'rae' })).toMatchObject([200, { login: 'rae' }])
})

it('a token ends at its expiry, when it is revoked, and with the account', async () => {
  const { now } = app.bench.clock
  const [short, revoked, last] = [
    await create('rae', { name: 'short', expires: now + 60 }),
    await create('rae', { name: 'revoked' }),
    await create('rae', { name: 'last' }),
  ]
  expect(await app.answer(`/api/user/tokens/${revoked.id}`, { as: 'rae', method: 'DELETE' })).toEqual([204, ''])
  app.bench.clock.now = now + 60
  expect([await statusWith(short.token), await statusWith(revoked.token), await statusWith(last.token)]).toEqual([
    401, 401, 200,
  ])
  expect((await list('rae')).map(({ name }) => name)).toEqual(['last', 'short'])
  await app.answer('/api/users/rae', { as: 'boss', method: 'PATCH', json: { active: false } })
  await app.answer('/api/users/rae', { as: 'boss', method: 'PATCH', json: { active: true } })
  expect(await statusWith(last.token)).toBe(401)
})

it.each([
  [{ name: ' ' }, 400, 'A name is required'],
  [{ name: 'a\nb' }, 400, 'The name can have at most 100 characters, on one line'],
  [{ name: 'x'.repeat(101) }, 400, 'The name can have at most 100 characters, on one line'],
  [{ name: 'old', expires: 1 }, 400, 'The expiry must be in the future'],
  [{ name: 'old', expires: -1 }, 400, 'The expiry must be in the future'],
  [{ name: 'Known' }, 409, 'You already have a token named Known'],
])('refuses %j', async (json, status, message) => {
  await create('rae', { name: 'known' })
  expect(await app.answer('/api/user/tokens', { as: 'rae', method: 'POST', json })).toEqual([status, { message }])
  expect(await list('rae')).toHaveLength(1)
})

it('keeps at most 100 tokens of a person @system', async () => {
  for (let index = 0; index < 100; index += 1) await create('rae', { name: `token ${index}` })
  const answer = await app.answer('/api/user/tokens', { as: 'rae', method: 'POST', json: { name: 'one more' } })
  expect(answer).toEqual([400, { message: 'You have 100 tokens: revoke one first' }])
})

it('a named token makes nothing that outlives it', async () => {
  const { token, id } = await create('boss', { name: 'short', expires: app.bench.clock.now + 60 })
  const refused = 'A named token cannot do this: sign in, or use your personal token'
  const calls: [string, string][] = [
    ['POST', '/api/user/token'],
    ['PUT', '/api/user/password'],
    ['GET', '/api/user/tokens'],
    ['POST', '/api/user/tokens'],
    ['DELETE', `/api/user/tokens/${id}`],
    ['GET', '/api/user/sessions'],
    ['DELETE', '/api/user/sessions'],
    ['DELETE', '/api/user/sessions/1'],
    ['POST', '/api/users/boss/invitation'],
    ['POST', '/api/users/robot/token/rotate'],
  ]
  for (const [method, path] of calls) {
    expect([path, ...(await app.answer(path, { method, ...bearer(token) }))]).toEqual([path, 403, { message: refused }])
  }
})

it('another person’s tokens and sessions are not there', async () => {
  const { id, token } = await create('rae', { name: 'mine' })
  await signIn('rae')
  const [session] = (await app.answer('/api/user/sessions', { as: 'rae' }))[1] as Session[]
  for (const as of ['wes', 'boss'] as const) {
    expect(await list(as)).toEqual([])
    expect((await app.answer(`/api/user/tokens/${id}`, { as, method: 'DELETE' }))[0]).toBe(404)
    expect((await app.answer(`/api/user/sessions/${session?.id}`, { as, method: 'DELETE' }))[0]).toBe(404)
    expect((await app.answer('/api/user/sessions', { as }))[1]).toEqual([])
  }
  expect(await statusWith(token)).toBe(200)
})

it('lists the sessions, and ends one of them or all others', async () => {
  const browsers = [
    await signIn('rae', 'Firefox on a desk'),
    await signIn('rae', 'Chrome on a phone'),
    await signIn('rae'),
  ]
  const [here, there, third] = browsers
  const sessions = async () => (await app.answer('/api/user/sessions', { headers: { ...here } }))[1] as Session[]
  const known = await sessions()
  expect(known.map(({ agent, current }) => [agent, current])).toEqual([
    ['Firefox', false],
    ['Chrome on a phone', false],
    ['Firefox on a desk', true],
  ])
  const phone = known.find(({ agent }) => agent === 'Chrome on a phone')
  const csrf = { ...here, 'sec-fetch-site': 'same-origin' }
  expect((await app.answer(`/api/user/sessions/${phone?.id}`, { method: 'DELETE', headers: csrf }))[0]).toBe(204)
  const status = async (headers: Record<string, string> | undefined) =>
    (await app.request('/api/user', { ...(headers && { headers }) })).status
  expect([await status(here), await status(there), await status(third)]).toEqual([200, 401, 200])
  expect((await app.answer('/api/user/sessions', { method: 'DELETE', headers: csrf }))[0]).toBe(204)
  expect([await status(here), await status(third)]).toEqual([200, 401])
  expect(await sessions()).toHaveLength(1)
})

it('streams end at once with the session or token that they came with', async () => {
  const value = await startSession(
    app.bench.db,
    (await app.user(app.bench.user.id)) ?? expect.fail(),
    app.bench.clock.now,
  )
  const named = await create('rae', { name: 'stream' })
  const short = await create('rae', { name: 'short', expires: app.bench.clock.now + 60 })
  const open = async (headers: Record<string, string>) => {
    const response = await app.request('/api/stream', { headers })
    const reader = response.body?.getReader() ?? expect.fail('no body')
    await reader.read()
    return async () => {
      while (!(await reader.read()).done);
      return 'ended'
    }
  }
  const ends = [
    await open({ cookie: `${sessionCookie}=${value}` }),
    await open(bearer(named.token).headers),
    await open(bearer(short.token).headers),
  ]
  await app.answer('/api/user/sessions', { as: 'ann', method: 'DELETE' })
  await app.answer(`/api/user/tokens/${named.id}`, { as: 'rae', method: 'DELETE' })
  app.bench.clock.now += 60
  await expireAccessTokens(app.bench.db, app.bench.clock.now)
  expect(await Promise.all(ends.map((end) => end()))).toEqual(['ended', 'ended', 'ended'])
})

it.each([
  [
    'a new password that replaces the token',
    async () => {
      const json = { old_password: 'password of rae', password: 'another password' }
      return app.answer('/api/user/password', { as: 'rae', method: 'PUT', json })
    },
  ],
  ['a reset by an administrator', () => app.answer('/api/users/rae/invitation', { as: 'boss', method: 'POST' })],
])('%s ends the named tokens', async (_what, act) => {
  const { token } = await create('rae', { name: 'a' })
  expect((await act())[0]).toBeLessThan(300)
  expect(await statusWith(token)).toBe(401)
})
