import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, tokenOf, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

describe('/api/user', () => {
  it('is the own account, with nothing that is secret', async () => {
    const [status, user] = await app.answer('/api/user', { as: 'ann' })
    expect(status).toBe(200)
    expect(Object.keys(user as object)).toEqual([
      'id',
      'login',
      'email',
      'machine',
      'admin',
      'active',
      'avatar',
      'syncing',
      'synced',
      'created',
      'updated',
      'last_login',
      'has_password',
      'capabilities',
    ])
  })

  it('changes the e-mail address and nothing else', async () => {
    const patch = (json: object) => app.answer('/api/user', { as: 'wes', method: 'PATCH', json })
    expect(await patch({ email: 'wes@example.com', login: 'x', admin: true })).toMatchObject([
      200,
      { login: 'wes', email: 'wes@example.com', admin: false },
    ])
    expect(await patch({})).toMatchObject([200, { email: '' }])
  })

  it('shows the token again, and makes a new one when asked', async () => {
    const token = async (path: string, as: 'otto' | 'rae' = 'otto') => {
      const [, body] = await app.answer(path, { as, method: 'POST' })
      return (body as { token: string }).token
    }
    expect(await token('/api/user/token')).toBe(tokenOf('otto'))
    const rotated = await token('/api/user/token?rotate=true')
    expect(rotated).toMatch(/^[A-Za-z0-9]{32}$/)
    expect((await app.answer('/api/user', { as: 'otto' }))[0]).toBe(401)
    const headers = { Authorization: `Bearer ${rotated}` }
    expect(await app.answer('/api/user/token', { method: 'POST', headers })).toMatchObject([200, { token: rotated }])
  })

  it('lists the repositories one has a row for, with the latest build when asked', async () => {
    const slugs = async (as: 'ann' | 'boss') =>
      ((await app.answer('/api/user/repos', { as }))[1] as { slug: string }[]).map(({ slug }) => slug)
    expect(await slugs('ann')).toEqual(['acme/web'])
    const [, before] = await app.answer('/api/user/repos?latest=true', { as: 'ann' })
    expect((before as object[])[0]).not.toHaveProperty('build')
    const build = await app.bench.startBuild()
    expect((await app.answer('/api/user/repos?latest=true', { as: 'ann' }))[1]).toMatchObject([
      { build: { id: build?.id } },
    ])
    expect(((await app.answer('/api/user/repos?latest=1', { as: 'ann' }))[1] as object[])[0]).not.toHaveProperty(
      'build',
    )
    for (const path of ['/api/user/builds', '/api/user/builds/recent']) {
      expect(await app.answer(path, { as: 'ann' })).toMatchObject([
        200,
        [{ slug: 'acme/web', build: { id: build?.id } }],
      ])
      expect(await app.answer(path, { as: 'wes' })).toMatchObject([200, [{ slug: 'acme/web' }]])
      expect(await app.answer(path, { as: 'robot' })).toEqual([200, []])
    }
  })

  it('reads the repositories again, waiting for it or not', async () => {
    const sync = (path: string) => app.answer(path, { as: 'ann', method: 'POST' })
    expect(await sync('/api/user/repos')).toMatchObject([200, [{ slug: 'acme/web' }]])
    expect(await sync('/api/user/repos?async=true')).toEqual([204, ''])
    await expect
      .poll(() => app.answer('/api/user', { as: 'ann' }), { timeout: 10_000 })
      .toMatchObject([200, { syncing: false }])
  })
})
