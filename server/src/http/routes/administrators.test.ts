/** The last administrator, owners that go, and what a new password ends. */
import type { User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { adoptRepos } from '../../store/owners.ts'
import { deletePermissions, setPermissions } from '../../store/permissions.ts'
import { updateRepo } from '../../store/repos.ts'
import { sealToken } from '../../people/tokens.ts'
import { deleteUser, findUserByLogin, setToken, updateUser } from '../../store/users.ts'
import { createTestApp, passwordOf, tokenOf, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const call = (method: string, path: string, json?: unknown, as: Person = 'boss') =>
  app.answer(path, { as, method, ...(json !== undefined && { json }) })
const person = async (login: string): Promise<User> =>
  (await findUserByLogin(app.bench.db, login)) ?? expect.fail(`no ${login}`)
const lastOne = (login: string) => [
  409,
  { message: `${login} is the last administrator; make someone else an administrator first` },
]

describe('a former administrator', () => {
  const web = '/api/repos/acme/web'
  /** Created as an administrator, with its own token. */
  async function administrator(login: string) {
    const [, made] = await call('POST', '/api/users', { login, admin: true, token: `token-of-${login}` })
    expect(made).toMatchObject({ admin: true })
    return async (method: string, path: string, json?: unknown) => {
      const headers = { Authorization: `Bearer token-of-${login}` }
      return (await app.answer(path, { method, headers, ...(json !== undefined && { json }) }))[0]
    }
  }
  /** To read, to administer, and the secrets. */
  const rightsOf = async (ask: Awaited<ReturnType<typeof administrator>>) => [
    await ask('GET', web),
    await ask('PATCH', web, {}),
    await ask('GET', `${web}/secrets`),
    await ask('GET', `${web}/collaborators`),
  ]

  it.each([
    ['is demoted', [{ admin: false }]],
    ['is disabled, and enabled later', [{ active: false }, { active: true }]],
  ])('has none of its rights: %s', async (_how, changes) => {
    const ask = await administrator('ada')
    expect(await rightsOf(ask)).toEqual([200, 200, 200, 200])
    for (const change of changes) await call('PATCH', '/api/users/ada', change)
    await setToken(app.bench.db, (await person('ada')).id, sealToken(app.dependencies.box, 'token-of-ada'))
    for (const status of await rightsOf(ask)) expect([401, 403, 404]).toContain(status)
    expect(await call('GET', '/api/users/ada/repos')).toEqual([200, []])
    expect((await call('GET', `${web}/collaborators/ada`))[0]).toBe(404)
  })

  it('has none of those that came at a reading of the repositories @system', async () => {
    await call('PATCH', '/api/users/otto', { admin: true })
    await app.bench.ci.sync(await person('otto'))
    expect(await call('GET', `${web}/collaborators/otto`)).toMatchObject([200, { admin: true }])
    await call('PATCH', '/api/users/otto', { admin: false })
    expect((await call('GET', web, undefined, 'otto'))[0]).not.toBe(200)
  })

  it('keeps what was given by name, before and meanwhile', async () => {
    await call('PATCH', '/api/users/rae', { admin: true })
    await app.bench.ci.sync(await person('rae'))
    const ask = await administrator('ada')
    await call('PUT', `${web}/collaborators/ada`, { read: true, write: true, admin: false })
    for (const login of ['rae', 'ada']) await call('PATCH', `/api/users/${login}`, { admin: false })
    expect(await call('GET', `${web}/collaborators/rae`)).toMatchObject([200, { read: true, write: false }])
    expect(await call('GET', `${web}/collaborators/ada`)).toMatchObject([200, { write: true, admin: false }])
    expect(await ask('PATCH', web, {})).not.toBe(200)
  })

  it('has normal rights, and gets back none that were revoked by name', async () => {
    const other = await createTestApp({ defaultAccess: 'read' })
    const change = (path: string, json: unknown, method = 'PATCH') => other.answer(path, { as: 'boss', method, json })
    await change('/api/users', { login: 'ada', admin: true }, 'POST')
    await change('/api/users/ada', { admin: false })
    const right = () => other.answer(`${web}/collaborators/ada`, { as: 'boss' })
    expect(await right()).toMatchObject([200, { read: true, write: false, admin: false }])
    await other.answer(`${web}/collaborators/ada`, { as: 'boss', method: 'DELETE' })
    await change('/api/users/ada', { admin: false })
    expect((await right())[0]).toBe(404)
    await other.close()
  })
})

describe('the last administrator', () => {
  it('cannot be deleted, disabled or demoted by anyone', async () => {
    expect(await call('DELETE', '/api/users/boss')).toEqual(lastOne('boss'))
    expect(await call('PATCH', '/api/users/boss', { active: false })).toEqual(lastOne('boss'))
    expect(await call('PATCH', '/api/users/BOSS', { admin: false })).toEqual(lastOne('boss'))
    expect(await call('PATCH', '/api/users/boss', { admin: true, active: false })).toEqual(lastOne('boss'))
    expect(await person('boss')).toMatchObject({ admin: true, active: true })
  })

  it('is the last one although a machine or a disabled user is administrator, too', async () => {
    await call('PATCH', '/api/users/robot', { admin: true })
    await updateUser(app.bench.db, (await person('otto')).id, { admin: true, active: false })
    expect(await call('PATCH', '/api/users/boss', { admin: false })).toEqual(lastOne('boss'))
    expect((await call('DELETE', '/api/users/robot'))[0]).toBe(204)
  })

  it('may go as soon as there is another', async () => {
    await call('PATCH', '/api/users/wes', { admin: true })
    expect(await call('PATCH', '/api/users/boss', { admin: false })).toMatchObject([200, { admin: false }])
    expect(await call('PATCH', '/api/users/wes', { admin: false }, 'wes')).toEqual(lastOne('wes'))
    // Other people can be changed as before.
    expect((await call('PATCH', '/api/users/otto', { active: false }, 'wes'))[0]).toBe(200)
  })

  it.each([
    ['PATCH', { admin: false }],
    ['PATCH', { active: false }],
    ['DELETE', undefined],
  ])('stays although two do it to each other at once: %s %j', async (method, json) => {
    await call('PATCH', '/api/users/wes', { admin: true })
    const answers = await Promise.all([
      call(method, '/api/users/wes', json),
      call(method, '/api/users/boss', json, 'wes'),
    ])
    expect(answers.filter(([status]) => status === 409)).toHaveLength(1)
    const [, users] = await call('GET', '/api/users', undefined, answers[0]?.[0] === 409 ? 'wes' : 'boss')
    expect((users as User[]).filter(({ admin, active }) => admin && active)).toHaveLength(1)
  })
})

describe('a repository whose owner leaves', () => {
  const owner = async () => (await app.repo()).user_id

  it.each(['disabled', 'deleted'])('passes to somebody who stays, and is built again: %s @system', async (word) => {
    const go = (login: string) =>
      word === 'deleted'
        ? call('DELETE', `/api/users/${login}`)
        : call('PATCH', `/api/users/${login}`, { active: false })
    const sha = app.bench.commit(pipelines({ default: '' }))
    const wes = await person('wes')
    await setPermissions(
      app.bench.db,
      { userId: wes.id, repoId: app.bench.repo.id },
      { read: true, write: true, admin: true },
      1,
    )
    await go('ann')
    // First to another administrator of the repository,
    expect(await owner()).toBe(wes.id)
    expect(await app.bench.push(sha)).toMatchObject({ number: 1 })
    await go('wes')
    // Then to a system administrator, who needs no permission on the repository.
    expect(await owner()).toBe((await person('boss')).id)
    expect(await app.bench.push(sha)).toMatchObject({ number: 2 })
    expect((await call('POST', '/api/repos/acme/web/builds'))[0]).toBe(200)
  })

  it('gets an owner at the next start, if an older version left it without one', async () => {
    const { db, repo } = app.bench
    const boss = await person('boss')
    const sha = app.bench.commit(pipelines({ default: '' }))
    const idle = await app.addRepo('acme', 'idle')
    await deleteUser(db, app.bench.user.id)
    await adoptRepos(db)
    expect(await owner()).toBe(boss.id)
    await updateRepo(db, { ...(await app.repo()), user_id: 0 })
    await adoptRepos(db)
    expect(await owner()).toBe(boss.id)
    expect(await app.bench.push(sha)).toMatchObject({ number: 1 })
    const { version } = await app.repo()
    await deletePermissions(db, boss.id, repo.id)
    await adoptRepos(db)
    expect((await app.repo()).version).toBe(version)
    // A repository that was never enabled has no owner.
    expect(await call('GET', '/api/repos/acme/idle')).toMatchObject([200, { id: idle.id, user_id: 0 }])
  })
})

describe('a new password', () => {
  it('that an administrator makes possible ends the token, unless he says otherwise', async () => {
    expect((await call('POST', '/api/users/rae/invitation', { keep_token: true }))[0]).toBe(200)
    expect((await call('GET', '/api/user', undefined, 'rae'))[0]).toBe(200)
    expect((await call('POST', '/api/users/rae/invitation'))[0]).toBe(200)
    expect((await call('GET', '/api/user', undefined, 'rae'))[0]).toBe(401)
    expect((await call('POST', '/api/users/wes/invitation', {}))[0]).toBe(200)
    expect((await call('GET', '/api/user', undefined, 'wes'))[0]).toBe(401)
    expect(await call('POST', '/api/users/wes/invitation', { keep_token: 'yes' })).toMatchObject([400, {}])
  })

  it('of one’s own makes a new token, unless one says otherwise; a wrong old one changes nothing @system', async () => {
    const own = await createTestApp({ passwords: true })
    const headers = { Authorization: `Bearer ${tokenOf('rae')}` }
    const change = (json: object) => own.answer('/api/user/password', { as: 'rae', method: 'PUT', json })
    const ask = async () => (await own.answer('/api/user', { headers }))[0]
    expect((await change({ old_password: 'wrong', password: 'brand new one' }))[0]).toBe(400)
    expect(await ask()).toBe(200)
    const old = passwordOf('rae')
    expect((await change({ old_password: old, password: 'brand new one', keep_token: true }))[0]).toBe(204)
    expect(await ask()).toBe(200)
    expect((await change({ old_password: 'brand new one', password: 'another new one' }))[0]).toBe(204)
    expect(await ask()).toBe(401)
    await own.close()
  })

  it('comes with a new token that only its owner sees; for a machine the rotation shows it @system', async () => {
    const [, body] = await call('POST', '/api/users/robot/token/rotate')
    const { token } = body as { token: string }
    expect((await app.answer('/api/user', { headers: { Authorization: token } }))[0]).toBe(200)
    expect((await call('POST', '/api/users/rae/token/rotate'))[1]).not.toHaveProperty('token')
  })
})
