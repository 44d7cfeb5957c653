import { afterAll, beforeAll, expect, it } from 'vitest'
import { listOverrides } from '../../store/secrets.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const boss = (method: string, path: string, json?: unknown) =>
  app.answer(path, { as: 'boss', method, ...(json !== undefined && { json }) })
const noRows = [404, { message: 'sql: no rows in result set' }]
const duplicate = {
  message: 'UNIQUE constraint failed: orgsecrets.secret_namespace, orgsecrets.secret_name',
}

it('are made, listed, changed and removed', async () => {
  expect(await boss('GET', '/api/secrets')).toEqual([200, []])
  const written = { updated: app.bench.clock.now, updated_by: 'boss' }
  const shared = { id: 1, namespace: 'acme', name: 'shared', pull_request: true, ...written }
  expect(await boss('POST', '/api/secrets/acme', { name: 'shared', data: 'value', pull_request: true })).toEqual([
    200,
    shared,
  ])
  expect(await boss('POST', '/api/secrets/acme', { name: 'SHARED', data: 'x' })).toEqual([500, duplicate])
  const other = { id: 2, namespace: 'ann', name: 'mine', ...written }
  expect(await boss('POST', '/api/secrets/ann', { name: 'mine', data: 'value' })).toEqual([200, other])

  expect(await boss('GET', '/api/secrets/')).toEqual([200, [other, shared]])
  expect(await boss('GET', '/api/secrets/acme')).toEqual([200, [shared]])
  expect(await boss('GET', '/api/secrets/nowhere')).toEqual([200, []])
  expect(await boss('GET', '/api/secrets/ACME/Shared')).toEqual([200, shared])
  expect(await boss('GET', '/api/secrets/acme/nope')).toEqual(noRows)

  const changed = { id: 1, namespace: 'acme', name: 'shared', pull_request_push: true, ...written }
  const flags = { pull_request: false, pull_request_push: true }
  expect(await boss('PATCH', '/api/secrets/acme/shared', { data: 'new', ...flags })).toEqual([200, changed])
  expect(await boss('POST', '/api/secrets/acme/shared', { data: 'newer' })).toEqual([200, changed])
  expect(await boss('PATCH', '/api/secrets/acme/shared', { data: '' })).toEqual([
    400,
    { message: 'Invalid Secret Value' },
  ])
  expect(await boss('PATCH', '/api/secrets/acme/nope', { data: 'x' })).toEqual(noRows)

  expect(await boss('DELETE', '/api/secrets/ann/mine')).toEqual([204, ''])
  expect(await boss('DELETE', '/api/secrets/ann/mine')).toEqual(noRows)
})

it.each([
  ['a name with a blank', { name: 'a b', data: 'x' }, 'Invalid Secret Name'],
  ['no value', { name: 'ab' }, 'Invalid Secret Value'],
])('are refused with %s', async (_what, json, message) => {
  expect(await boss('POST', '/api/secrets/acme', json)).toEqual([400, { message }])
})

it('lie in the database sealed', async () => {
  await boss('POST', '/api/secrets/acme', { name: 'sealed', data: 'the value itself' })
  const rows = await app.bench.db.selectFrom('orgsecrets').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain('the value itself')
})

it('name the repositories that override them, to a reader that may see the secrets of those', async () => {
  await boss('POST', '/api/secrets/acme', { name: 'Deploy', data: 'x' })
  await app.answer('/api/repos/acme/web/secrets', { as: 'wes', method: 'POST', json: { name: 'deploy', data: 'own' } })
  const names = async () =>
    ((await boss('GET', '/api/secrets/acme'))[1] as { name: string; overridden_in?: string[] }[]).map((secret) => [
      secret.name,
      secret.overridden_in,
    ])
  expect(await names()).toContainEqual(['Deploy', ['acme/web']])
  expect(await names()).toContainEqual(['shared', undefined])
  expect(Object.fromEntries(await listOverrides(app.bench.db, 'acme', { id: 999, admin: false }))).toEqual({})
})
