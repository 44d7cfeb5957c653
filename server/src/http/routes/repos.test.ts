import { createDecipheriv, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { findRepoInternals } from '../../store/repos.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

const path = '/api/repos/acme/web'
const patch = (json: unknown, as: 'ann' | 'boss' = 'ann') => app.answer(path, { as, method: 'PATCH', json })
const post = (rest: string, call: object = {}) => app.answer(`${path}${rest}`, { as: 'ann', method: 'POST', ...call })

it('shows rights to people with a row', async () => {
  const rightsOf = async (as: 'ann' | 'rae' | 'boss') =>
    ((await app.answer(path, { as }))[1] as { permissions?: object }).permissions
  expect(await rightsOf('rae')).toEqual({ read: true, write: false, admin: false })
  expect(await rightsOf('ann')).toEqual({ read: true, write: true, admin: true })
  expect(await rightsOf('boss')).toBeUndefined()
})

it('knows slugs by their letter case', async () => {
  expect(await app.answer('/api/repos/ACME/web', { as: 'ann' })).toEqual([404, { message: 'Not Found' }])
})

describe('settings', () => {
  it('are changed one by one; the rest stays', async () => {
    expect(await patch({ visibility: 'internal', ignore_forks: true })).toMatchObject([
      200,
      { visibility: 'internal', ignore_forks: true, ignore_pull_requests: false, config_path: '.drone.yml' },
    ])
    expect(await patch({ nope: 1, visibility: null })).toMatchObject([200, { visibility: 'internal' }])
  })

  it('of the administrator are ignored from others', async () => {
    const wishes = { trusted: true, timeout: 30, throttle: 2 }
    expect((await patch(wishes))[1]).toMatchObject({ trusted: false, timeout: 60 })
    expect((await patch(wishes, 'boss'))[1]).toMatchObject(wishes)
  })

  it.each([
    [{ visibility: 'nonsense' }, 'Invalid visibility'],
    [{ timeout: 0 }, 'Invalid timeout'],
    [{ throttle: -1 }, 'Invalid throttle'],
    [{ counter: -1 }, 'Invalid counter'],
    [{ config_path: '../secret' }, 'Invalid configuration path'],
    [{ protected: 'yes' }, 'json: cannot unmarshal string into Go struct field repositoryInput.protected of type bool'],
    [{ timeout: 1.5 }, 'json: cannot unmarshal number 1.5 into Go struct field repositoryInput.timeout of type int64'],
  ])('refuse %j', async (json, message) => {
    const before = await app.repo()
    expect(await patch(json, 'boss')).toEqual([400, { message }])
    expect(await app.repo()).toEqual(before)
  })

  it('survive changes at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => patch({ protected: true })))
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('signing and encrypting', () => {
  it('signs what is not a signature', async () => {
    const { secret } = (await findRepoInternals(app.bench.db, app.bench.repo.id)) ?? { secret: '' }
    const text = 'kind: pipeline\nname: default\n'
    const expected = createHmac('sha256', secret).update(text).digest('hex')
    expect(await post('/sign', { json: { data: `---\n${text}` } })).toEqual([200, { data: expected }])
    const signed = `---\n${text}---\nkind: signature\nhmac: ${expected}\n`
    expect(await post('/sign', { json: { data: signed } })).toEqual([200, { data: expected }])
    expect(await post('/sign')).toEqual([400, { message: 'EOF' }])
    expect(await post('/sign', { json: { data: 'a: [' } })).toEqual([
      500,
      { message: expect.stringMatching(/^yaml: /) },
    ])
  })

  it('signs what builds take, in bounded time @system', async () => {
    expect((await post('/sign', { json: { data: 'kind: pipeline\nname: a\nname: b\n' } }))[0]).toBe(200)
    const many = Array.from({ length: 100_000 }, (_, index) => `${index}:\n`).join('')
    // On a slow machine, the limit of two seconds comes first.
    expect(await post('/sign', { json: { data: many } })).toEqual([
      500,
      { message: expect.stringMatching(/^yaml: the file (has too many parts|takes too long to read)/) },
    ])
    expect((await post('/sign', { json: { data: 'a'.repeat(1_000_001) } }))[1]).toEqual({
      message: 'yaml: the file is larger than 1000000 characters',
    })
  })

  it('encrypts for the pipeline file', async () => {
    const { secret } = (await findRepoInternals(app.bench.db, app.bench.repo.id)) ?? { secret: '' }
    for (const rest of ['/encrypt', '/encrypt/secret']) {
      const [, body] = await post(rest, { json: { name: 'x', data: 'pa55word' } })
      const bytes = Buffer.from((body as { data: string }).data, 'base64')
      const cipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12))
      cipher.setAuthTag(bytes.subarray(-16))
      expect(cipher.update(bytes.subarray(12, -16)).toString()).toBe('pa55word')
      cipher.final()
    }
  })

  it('needs a repository that was enabled once', async () => {
    await app.addRepo('acme', 'fresh')
    const call = { as: 'boss', method: 'POST', json: { data: 'kind: pipeline' } } as const
    const refusal = [500, { message: 'signer: key must be 32-bytes' }]
    expect(await app.answer('/api/repos/acme/fresh/sign', call)).toEqual(refusal)
    expect(await app.answer('/api/repos/acme/fresh/encrypt', call)).toEqual(refusal)
  })
})

describe('collaborators', () => {
  it('are listed by login', async () => {
    const [, list] = await app.answer(`${path}/collaborators`, { as: 'rae' })
    expect((list as { login: string }[]).map(({ login }) => login)).toEqual(['ann', 'rae', 'wes'])
    expect(await app.answer(`${path}/collaborators/rae`, { as: 'rae' })).toEqual([
      200,
      { read: true, write: false, admin: false },
    ])
  })

  it('come and go', async () => {
    const otto = (method: string, json?: object) =>
      app.answer(`${path}/collaborators/otto`, { as: 'ann', method, ...(json && { json }) })
    expect(await otto('PUT', { write: true })).toEqual([200, { read: true, write: true, admin: false }])
    expect((await app.answer(`${path}/secrets`, { as: 'otto' }))[0]).toBe(200)
    expect(await otto('DELETE')).toEqual([204, ''])
    expect(await otto('DELETE')).toEqual([404, { message: 'sql: no rows in result set' }])
    expect((await app.answer(`${path}/secrets`, { as: 'otto' }))[0]).toBe(404)
  })
})

describe('on, off and away', () => {
  it('changes the owner', async () => {
    expect(await app.answer(`${path}/chown`, { as: 'boss', method: 'POST' })).toMatchObject([200, { slug: 'acme/web' }])
    const boss = (await app.answer('/api/user', { as: 'boss' }))[1] as { id: number }
    expect(await app.repo()).toMatchObject({ user_id: boss.id })
    expect(await post('/chown')).toMatchObject([200, { user_id: app.bench.user.id }])
  })

  it('repairs what has an owner', async () => {
    expect(await post('/repair')).toMatchObject([200, { default_branch: 'main' }])
    await app.changeRepo({ user_id: 0 })
    expect(await post('/repair')).toEqual([404, { message: 'sql: no rows in result set' }])
    expect(await post('/builds')).toEqual([404, { message: 'sql: no rows in result set' }])
  })

  it('disables and enables', async () => {
    expect(await app.answer(path, { as: 'ann', method: 'DELETE' })).toMatchObject([200, { active: false }])
    expect(await post('')).toMatchObject([200, { active: true, user_id: app.bench.user.id, timeout: 30 }])
  })

  it('disables while others change it', async () => {
    const remove = () => app.answer(path, { as: 'ann', method: 'DELETE' })
    const answers = await Promise.all([
      remove(),
      patch({ ignore_forks: true }),
      remove(),
      patch({ ignore_forks: false }),
    ])
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200])
    await post('')
  })

  it('removes with all its builds', async () => {
    await app.bench.startBuild()
    const [status, repo] = await app.answer(`${path}?remove=true`, { as: 'ann', method: 'DELETE' })
    expect([status, repo]).toMatchObject([200, { slug: 'acme/web', active: false }])
    expect(await app.answer(path, { as: 'boss' })).toEqual([404, { message: 'Not Found' }])
  })

  it('lists everything for the administrator, in pages', async () => {
    await app.addRepo('acme', 'second')
    const [, all] = await app.answer('/api/repos', { as: 'boss' })
    const slugs = (all as { slug: string }[]).map(({ slug }) => slug)
    expect(slugs).toEqual(['acme/fresh', 'acme/second'])
    expect(await app.answer('/api/repos?page=2&per_page=1', { as: 'boss' })).toMatchObject([
      200,
      [{ slug: 'acme/second' }],
    ])
    const maxNumber = Number.MAX_SAFE_INTEGER
    expect(await app.answer(`/api/repos?page=${maxNumber}&per_page=${maxNumber}`, { as: 'boss' })).toEqual([200, []])
  })
})
