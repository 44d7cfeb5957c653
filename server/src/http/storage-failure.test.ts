import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storageFailure } from '../store/errors.ts'
import { refusalOf } from './errors.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const save = () =>
  app.answer('/api/user/views', {
    as: 'rae',
    method: 'PUT',
    body: JSON.stringify({ list: 'builds', name: 'Red', query: 'a'.repeat(500) }),
  })
const pragma = (text: string) => sql.raw(`pragma ${text}`).execute(app.bench.db)

it('a change that a read-only disk refuses says so; reads succeed, and so does the change afterwards', async () => {
  await pragma('query_only = 1')
  expect(await save()).toEqual([
    500,
    { message: 'The server cannot read or write its disk (read-only): check the disk, then try again' },
  ])
  expect((await app.answer('/api/user', { as: 'rae' }))[0]).toBe(200)
  await pragma('query_only = 0')
  expect(await save()).toEqual([204, ''])
})

it.each([
  ['ENOSPC', 'The disk of the server is full: free some space on it, then try again'],
  ['EDQUOT', 'The disk of the server is full: free some space on it, then try again'],
  ['EROFS', 'The server cannot read or write its disk (read-only): check the disk, then try again'],
  ['EIO', 'The server cannot read or write its disk (input/output error): check the disk, then try again'],
  // Possibly a bug of ours; the caller must not see its path.
  ['ENOENT', null],
])('%s of a file is described as %s', (code, words) => {
  expect(storageFailure(Object.assign(new Error(`${code}: /var/lib/secret`), { code }))).toBe(words)
})

it('errors of nothing that is stored stay private', () => {
  expect([storageFailure(new Error('a.b is undefined')), storageFailure('text'), storageFailure(null)]).toEqual([
    null,
    null,
    null,
  ])
})

it("SQLite's text is public for the documented duplicates only", () => {
  const unique = (columns: string) => new Error(`UNIQUE constraint failed: ${columns}`)
  expect(refusalOf(unique('users.user_login'))).toMatchObject({ status: 500 })
  for (const columns of ['steps.step_stage_id, steps.step_number', 'users.user_login, users.user_hash'])
    expect(refusalOf(unique(columns))).toBeNull()
})
