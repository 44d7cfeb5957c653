/** How much a writer may create (docs/limits.md). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertMany } from '../../store/bulk.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { countLoopTurns } from '../../testing/event-loop-during.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

const call = (method: string, rest: string, json?: unknown) =>
  app.answer(`/api/repos/acme/web${rest}`, { as: 'wes', method, ...(json !== undefined && { json }) })
const range = (length: number) => Array.from({ length }, (_, index) => index)
const flags = { secret_pull_request: 0, secret_pull_request_push: 0 }

describe('secrets', () => {
  it('are limited to 500 per repository; existing ones beyond are listed, changed and deleted, and block nothing', async () => {
    const { db, repo } = app.bench
    const rows = range(30_000).map((index) => ({ secret_repo_id: repo.id, secret_name: `s${index}`, secret_data: 'x' }))
    await insertMany(
      db,
      'secrets',
      rows.map((row) => ({ ...row, ...flags })),
    )
    expect(await call('POST', '/secrets', { name: 'new', data: 'x' })).toEqual([
      400,
      { message: 'This repository has 30000 secrets; the limit is 500. Delete one first' },
    ])
    expect(await call('PATCH', '/secrets/s7', { pull_request: true })).toMatchObject([200, { name: 's7' }])
    let listed: unknown[] = []
    // In parts of some hundreds, between which others have their turn.
    expect(
      await countLoopTurns(async () => (listed = (await call('GET', '/secrets'))[1] as unknown[])),
    ).toBeGreaterThan(2)
    expect(listed).toHaveLength(30_000)
    await app.bench.startBuild()
    const stage = await app.bench.request()
    expect(await countLoopTurns(() => app.bench.ci.runners.details(stage?.id ?? 0))).toBeGreaterThan(2)
    await db.deleteFrom('secrets').where('secret_name', '<>', 's7').execute()
    expect((await call('POST', '/secrets', { name: 'new', data: 'x' }))[0]).toBe(200)
  })
  it('have a longest value', async () => {
    const [status, body] = await call('POST', '/secrets', { name: 'long', data: 'x'.repeat(1_000_001) })
    expect([status >= 400, status < 500, typeof body]).toEqual([true, true, 'object'])
  })
  it('are 500 of a namespace', async () => {
    const rows = range(500).map((index) => ({ secret_namespace: 'acme', secret_name: `s${index}`, secret_data: 'x' }))
    await insertMany(
      app.bench.db,
      'orgsecrets',
      rows.map((row) => ({ ...row, ...flags })),
    )
    const asked = await app.answer('/api/secrets/acme', {
      as: 'boss',
      method: 'POST',
      json: { name: 'new', data: 'x' },
    })
    expect(asked).toEqual([400, { message: 'This namespace has 500 secrets; the limit is 500. Delete one first' }])
  })
})

it('cron jobs are 100 of a repository @system', async () => {
  for (const index of range(100)) {
    expect((await call('POST', '/cron', { name: `j${index}`, expr: '@daily', branch: 'main' }))[0]).toBe(200)
  }
  expect(await call('POST', '/cron', { name: 'more', expr: '@daily', branch: 'main' })).toEqual([
    400,
    { message: 'This repository has 100 cron jobs; the limit is 100. Delete one first' },
  ])
})

it('parameters are 200 of a build, however it is started', async () => {
  const query = (count: number) =>
    range(count)
      .map((index) => `p${index}=x`)
      .join('&')
  expect((await call('POST', `/builds?${query(200)}`))[0]).toBe(200)
  const message = 'A build can have at most 200 parameters; these are 201'
  expect(await call('POST', `/builds?${query(201)}`)).toEqual([400, { message }])
  expect(await call('POST', `/builds/1?${query(201)}`)).toEqual([400, { message }])
  expect(await call('POST', `/builds/1/promote?target=a&${query(201)}`)).toEqual([400, { message }])
})
