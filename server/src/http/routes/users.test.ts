import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, tokenOf, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const call = (method: string, path: string, json?: unknown) => app.answer(path, { as: 'boss', method, json })
const noRows = [404, { message: 'sql: no rows in result set' }]

it('lists by login', async () => {
  const [status, users] = await call('GET', '/api/users')
  expect([status, (users as { login: string }[]).map(({ login }) => login)]).toEqual([
    200,
    ['ann', 'boss', 'otto', 'rae', 'robot', 'wes'],
  ])
})

it('finds one by login in any case, or by id', async () => {
  const [, ann] = await call('GET', '/api/users/ANN')
  expect(ann).toMatchObject({ login: 'ann' })
  expect(await call('GET', `/api/users/${(ann as { id: number }).id}`)).toEqual([200, ann])
  expect(await call('GET', '/api/users/nope')).toEqual(noRows)
  expect(await call('GET', '/api/users/nope/repos')).toEqual(noRows)
  expect(await call('GET', '/api/users/ann/repos')).toMatchObject([200, [{ slug: 'acme/web' }]])
})

it('creates people, and machines with a token', async () => {
  const [status, person] = await call('POST', '/api/users', { login: 'zoe', email: 'zoe@example.com', admin: false })
  expect(status).toBe(200)
  expect(person).toMatchObject({ login: 'zoe', email: 'zoe@example.com', active: true, machine: false })
  expect(person).not.toHaveProperty('token')
  expect(await call('POST', '/api/users', { login: 'ZOE' })).toEqual([
    500,
    { message: 'UNIQUE constraint failed: users.user_login' },
  ])
  const [, machine] = await call('POST', '/api/users', { login: 'robot-2', machine: true })
  const { token } = machine as { token: string }
  expect(token).toMatch(/^[A-Za-z0-9]{32}$/)
  const headers = { Authorization: `Bearer ${token}` }
  expect(await app.answer('/api/user', { headers })).toMatchObject([200, { login: 'robot-2' }])
  expect(await call('POST', '/api/users', { login: 'robot-3', machine: true, token: 'given' })).toMatchObject([
    200,
    { token: 'given' },
  ])
})

it('gives a new person what is named, or everything, in the same call', async () => {
  const reach = async (login: string) =>
    ((await call('GET', `/api/users/${login}/repos`))[1] as { slug: string }[]).map(({ slug }) => slug)
  const may = async (login: string, slug: string) => (await call('GET', `/api/repos/${slug}/collaborators/${login}`))[1]
  await call('POST', '/api/users', { login: 'named', repositories: 'acme/web', role: 'write' })
  expect(await reach('named')).toEqual(['acme/web'])
  expect(await may('named', 'acme/web')).toEqual({ read: true, write: true, admin: false })
  await call('POST', '/api/users', { login: 'reader', repositories: '*' })
  expect(await reach('reader')).toEqual(['acme/web'])
  expect(await may('reader', 'acme/web')).toEqual({ read: true, write: false, admin: false })
  await call('POST', '/api/users', { login: 'nothing', repositories: ' ' })
  expect(await reach('nothing')).toEqual([])
})

it.each([
  ['one that is not there', { repositories: 'acme/web acme/nope' }, 'There is no repository acme/nope'],
  ['an unknown role', { repositories: 'acme/web', role: 'owner' }, 'Role must be read, write or admin'],
  ['a role of every object', { repositories: 'acme/web', role: 'constructor' }, 'Role must be read, write or admin'],
  ['too many', { repositories: 'a/b '.repeat(201) }, 'At most 200 repositories can be named at once; * means all'],
])('makes no account for %s', async (_what, access, message) => {
  expect(await call('POST', '/api/users', { login: 'late', ...access })).toEqual([400, { message }])
  expect(await call('GET', '/api/users/late')).toEqual(noRows)
})

it.each([
  [{}, 'Invalid username length'],
  [null, 'Invalid username length'],
  [{ login: 'x'.repeat(51) }, 'Invalid username length'],
  [{ login: 'a b' }, 'Invalid character in username'],
  [{ login: '<b>' }, 'Invalid character in username'],
  [{ login: '.' }, 'Invalid character in username'],
  [{ login: '..' }, 'Invalid character in username'],
  [{ login: 5 }, 'json: cannot unmarshal number into Go struct field userWithToken.login of type string'],
])('refuses %j', async (json, message) => {
  expect(await call('POST', '/api/users', json)).toEqual([400, { message }])
})

it('changes rights only, and revokes those of a blocked person', async () => {
  expect(await call('PATCH', '/api/users/wes', { admin: true, login: 'x', machine: true })).toMatchObject([
    200,
    { login: 'wes', admin: true, machine: false },
  ])
  expect(await call('PATCH', '/api/users/wes', { active: false })).toMatchObject([200, { admin: false, active: false }])
  expect(await call('PATCH', '/api/users/wes', { active: true })).toMatchObject([200, { admin: false, active: true }])
  expect(await call('PATCH', '/api/users/wes', { admin: 'yes' })).toEqual([
    400,
    { message: 'json: cannot unmarshal string into Go struct field userInput.admin of type bool' },
  ])
  expect(await call('PATCH', '/api/users/nope', { admin: true })).toEqual(noRows)
})

it('invalidates a token, and does not return the new one', async () => {
  const [status, body] = await call('POST', '/api/users/otto/token/rotate')
  expect([status, body]).toMatchObject([200, { login: 'otto', message: 'Token rotated successfully.' }])
  expect(body).not.toHaveProperty('token')
  expect((await app.answer('/api/user', { headers: { Authorization: tokenOf('otto') } }))[0]).toBe(401)
  expect(await call('POST', '/api/users/nope/token/rotate')).toEqual(noRows)
})

it('deletes, and hands the repositories on to an administrator', async () => {
  expect(await app.repo()).toMatchObject({ user_id: app.bench.user.id })
  expect(await call('DELETE', '/api/users/ann')).toEqual([204, ''])
  expect(await call('DELETE', '/api/users/ann')).toEqual(noRows)
  const [, boss] = await call('GET', '/api/users/boss')
  expect(await app.repo()).toMatchObject({ user_id: (boss as { id: number }).id })
  expect((await app.answer('/api/user', { as: 'ann' }))[0]).toBe(401)
})

it.each([
  ['none', undefined],
  ['read', { read: true, write: false, admin: false }],
  ['write', { read: true, write: true, admin: false }],
] as const)('gives new users the default access %s, administrators everything', async (defaultAccess, rights) => {
  const other = await createTestApp({ defaultAccess })
  for (const [login, admin] of [
    ['max', false],
    ['eva', true],
  ] as const) {
    await other.answer('/api/users', { as: 'boss', method: 'POST', json: { login, admin } })
    const [status, body] = await other.answer(`/api/repos/acme/web/collaborators/${login}`, { as: 'boss' })
    if (admin) expect(body).toEqual({ read: true, write: true, admin: true })
    else expect([status, rights && body]).toEqual([rights ? 200 : 404, rights])
  }
  await other.close()
})
