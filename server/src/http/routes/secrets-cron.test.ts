import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { listSealedSecrets } from '../../store/secrets.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

const call = (method: string, rest: string, json?: unknown) =>
  app.answer(`/api/repos/acme/web${rest}`, { as: 'wes', method, ...(json !== undefined && { json }) })
const noRows = [404, { message: 'sql: no rows in result set' }]

describe('secrets', () => {
  const repoId = 1
  const now = () => ({ updated: app.bench.clock.now, updated_by: 'wes' })

  it('are created, listed, changed and deleted without their value', async () => {
    expect(await call('GET', '/secrets')).toEqual([200, []])
    expect(await call('POST', '/secrets', { name: 'password', data: 'correct horse' })).toEqual([
      200,
      { id: 1, repo_id: repoId, name: 'password', ...now() },
    ])
    const flags = { pull_request: true, pull_request_push: true }
    expect(await call('POST', '/secrets', { name: 'Token.A-1_b', data: 'x', ...flags, type: 'any' })).toEqual([
      200,
      { id: 2, repo_id: repoId, name: 'Token.A-1_b', ...flags, ...now() },
    ])
    expect(await call('POST', '/secrets', { name: 'PASSWORD', data: 'y' })).toMatchObject([200, { id: 3 }])
    expect(await call('PATCH', '/secrets/password', { pull_request: true, name: 'x' })).toEqual([
      200,
      { id: 1, repo_id: repoId, name: 'password', pull_request: true, ...now() },
    ])
    expect(await call('GET', '/secrets/password')).toMatchObject([200, { pull_request: true }])
    expect(await call('DELETE', '/secrets/PASSWORD')).toEqual([204, ''])
    expect(await call('DELETE', '/secrets/PASSWORD')).toEqual(noRows)
    expect(((await call('GET', '/secrets'))[1] as object[]).length).toBe(2)
  })

  it('return when and by whom they were last changed', async () => {
    const made = app.bench.clock.now
    app.bench.clock.now += 100
    const change = { as: 'ann', method: 'PATCH', json: { data: 'another value' } } as const
    expect(await app.answer('/api/repos/acme/web/secrets/password', change)).toMatchObject([
      200,
      { updated: made + 100, updated_by: 'ann' },
    ])
    expect(await call('GET', '/secrets/Token.A-1_b')).toMatchObject([200, { updated: made, updated_by: 'wes' }])
  })

  it('return which pipelines of the newest build of the default branch use them @system', async () => {
    expect(await call('GET', '/secret-uses')).toEqual([200, { uses: [] }])
    const sha = app.bench.commit(`kind: pipeline
type: docker
name: test
steps:
- name: one
  image: alpine
  settings: &settings
    token: {from_secret: "token"}
  environment:
    PASSWORD:
      from_secret: password
---
kind: pipeline
type: docker
name: deploy
steps:
- {name: one, image: alpine, settings: {keys: [{from_secret: password}]}}
# from_secret: comment
`)
    const build = await app.bench.push(sha)
    expect(await call('GET', '/secret-uses')).toEqual([
      200,
      {
        build: build?.number,
        uses: [
          { name: 'password', pipelines: ['deploy', 'test'] },
          { name: 'token', pipelines: ['test'] },
        ],
      },
    ])
    for (const as of ['rae', 'otto'] as const)
      expect((await app.answer('/api/repos/acme/web/secret-uses', { as }))[0]).toBe(404)
    app.bench.commit(pipelines({ default: '' }))
  })

  it('lie encrypted in the database', async () => {
    const stored = await listSealedSecrets(app.bench.db, app.bench.repo)
    expect(JSON.stringify(stored)).not.toContain('correct horse')
    expect(stored[1]?.data).toMatch(/^[A-Za-z0-9+/=]{40,}$/)
  })

  it.each([
    [{ name: 'a b', data: 'y' }, 400, 'Invalid Secret Name'],
    [{ name: 'a/b', data: 'y' }, 400, 'Invalid Secret Name'],
    [{ name: '.', data: 'y' }, 400, 'Invalid Secret Name'],
    [{ name: '..', data: 'y' }, 400, 'Invalid Secret Name'],
    [{ data: 'y' }, 400, 'Invalid Secret Name'],
    [{ name: 'empty' }, 400, 'Invalid Secret Value'],
    [{ name: 'large', data: 'x'.repeat(65_537) }, 400, 'Invalid Secret Value: it has more than 65,536 bytes'],
    [{ name: 'long', data: 'x\n'.repeat(2_000) }, 400, 'Invalid Secret Value: it has more than 2,000 lines'],
    [{ name: 'password', data: 'y' }, 500, 'UNIQUE constraint failed: secrets.secret_repo_id, secrets.secret_name'],
  ])('refuse %j', async (json, status, message) => {
    expect(await call('POST', '/secrets', json)).toEqual([status, { message }])
  })

  it('refuse an empty value, and names that are not there', async () => {
    expect(await call('PATCH', '/secrets/password', { data: '' })).toEqual([400, { message: 'Invalid Secret Value' }])
    const large = { data: 'x'.repeat(65_537) }
    const message = 'Invalid Secret Value: it has more than 65,536 bytes'
    expect(await call('PATCH', '/secrets/password', large)).toEqual([400, { message }])
    expect(await call('POST', '/encrypt/secret', { name: 'large', ...large })).toEqual([400, { message }])
    expect(await call('PATCH', '/secrets/none', { data: 'x' })).toEqual(noRows)
    expect(await call('GET', '/secrets/none')).toEqual(noRows)
  })
})

describe('cron jobs', () => {
  it('are created with a slug as name', async () => {
    expect(await call('GET', '/cron')).toEqual([200, []])
    const [status, job] = await call('POST', '/cron', { name: 'Nightly Build', expr: '0 0 3 * * *', branch: 'main' })
    expect(status).toBe(200)
    expect(job).toEqual({
      id: 1,
      repo_id: 1,
      name: 'nightly-build',
      expr: '0 0 3 * * *',
      next: 1_700_017_200,
      prev: 0,
      event: 'push',
      branch: 'main',
      disabled: false,
      created: 0,
      updated: 0,
      version: 0,
    })
    expect(await call('GET', '/cron/nightly-build')).toEqual([200, job])
    expect(await call('GET', '/cron')).toEqual([200, [job]])
    expect(await call('POST', '/cron', { name: 'nightly build', expr: '@daily', branch: 'x' })).toEqual([
      500,
      { message: 'UNIQUE constraint failed: cron.cron_repo_id, cron.cron_name' },
    ])
  })

  it.each([
    [{ name: 'x', expr: 'never', branch: 'main' }, 'Invalid Cronjob Expression'],
    [{ name: 'x', branch: 'main' }, 'Invalid Cronjob Expression'],
    [{ expr: '@daily', branch: 'main' }, 'Invalid Cronjob Name'],
    [{ name: 'x', expr: '@daily' }, 'Invalid Cronjob Branch'],
  ])('refuse %j', async (json, message) => {
    expect(await call('POST', '/cron', json)).toEqual([400, { message }])
  })

  it('change branch, target and disabled', async () => {
    const changed = { branch: 'other', target: 'production', disabled: true }
    const patch = (json: unknown) => call('PATCH', '/cron/nightly-build', json)
    expect(await patch({ ...changed, expr: '@yearly', name: 'x' })).toMatchObject([
      200,
      { ...changed, name: 'nightly-build', expr: '0 0 3 * * *' },
    ])
    expect(
      await app.answer('/api/repos/acme/web/cron/nightly-build', { as: 'wes', method: 'PATCH', body: '{' }),
    ).toMatchObject([200, changed])
    expect(await patch({ branch: 'main' })).toMatchObject([200, { branch: 'main', disabled: true }])
    expect(await call('PATCH', '/cron/none', {})).toEqual(noRows)
  })

  it('change their expression, and wait for its next time', async () => {
    const patch = (json: unknown) => call('PATCH', '/cron/nightly-build', json)
    expect(await patch({ expression: '@yearly' })).toMatchObject([200, { expr: '@yearly', next: 1_704_067_200 }])
    expect(await patch({ expression: '30 4 * * *' })).toMatchObject([
      400,
      { message: expect.stringContaining('write "0 30 4 * * *"') as string },
    ])
    expect(await patch({ expression: '' })).toEqual([400, { message: 'Invalid Cronjob Expression' }])
    expect(await patch({ expression: '0 0 3 * * *' })).toMatchObject([200, { next: 1_700_017_200 }])
  })

  it('return the next five times of an expression, in the server’s time zone', async () => {
    const times = (expr: string) => app.answer(`/api/cron-times?expr=${encodeURIComponent(expr)}`, { as: 'otto' })
    const day = 86_400
    const first = 1_700_017_200
    expect(await times('0 0 3 * * *')).toEqual([
      200,
      { times: [0, 1, 2, 3, 4].map((days) => first + days * day), zone: 'UTC' },
    ])
    expect(await times('0 0 0 30 2 *')).toEqual([400, { message: 'Invalid Cronjob Expression: no day has this date' }])
    expect((await app.answer('/api/cron-times?expr=@daily'))[0]).toBe(401)
  })

  it('that are enabled again wait for their next time, however long they were off', async () => {
    const { clock } = app.bench
    const began = clock.now
    await call('POST', '/cron', { name: 'resting', expr: '@daily', branch: 'main' })
    await call('PATCH', '/cron/resting', { disabled: true })
    clock.now += 10 * 86_400
    const [, job] = await call('PATCH', '/cron/resting', { disabled: false })
    expect(job).toMatchObject({ disabled: false, prev: 0, next: Math.ceil(clock.now / 86_400) * 86_400 })
    // A change of something else leaves the time alone.
    clock.now += 2 * 86_400
    expect(await call('PATCH', '/cron/resting', { target: 'production' })).toMatchObject([
      200,
      { next: (job as { next: number }).next },
    ])
    await call('DELETE', '/cron/resting')
    clock.now = began
  })

  it('refuse a target that is none', async () => {
    expect(await call('PATCH', '/cron/nightly-build', { target: 'x'.repeat(300) })).toEqual([
      400,
      { message: 'Invalid Cronjob Target' },
    ])
  })

  it('run at once, also when disabled', async () => {
    expect(await call('POST', '/cron/nightly-build')).toMatchObject([
      200,
      { event: 'cron', trigger: '@cron', cron: 'nightly-build' },
    ])
    const [, jobs] = await call('GET', '/cron')
    const { clock } = app.bench
    expect(jobs).toMatchObject([
      { name: 'nightly-build', last: { number: expect.any(Number) as number, status: 'pending', created: clock.now } },
    ])
    expect(await call('POST', '/cron/none')).toEqual(noRows)
    await call('POST', '/cron', { name: 'ghost', expr: '@daily', branch: 'ghost' })
    expect((await call('POST', '/cron/ghost'))[0]).toBe(404)
    expect(await call('DELETE', '/cron/ghost')).toEqual([204, ''])
    expect(await call('DELETE', '/cron/ghost')).toEqual(noRows)
  })
})
