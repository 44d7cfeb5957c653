/** What a copy of the database reveals. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, passwordOf, tokenOf, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ passwords: true })
})
afterAll(() => app.close())

async function everything(): Promise<string> {
  const { db } = app.bench
  const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
  const rows: unknown[] = []
  for (const { name } of tables.rows) rows.push((await sql`select * from ${sql.table(name)}`.execute(db)).rows)
  return JSON.stringify(rows)
}

it('contains no password, session, token, invitation or secret', async () => {
  const response = await app.request('/login', {
    method: 'POST',
    form: { username: 'ann', password: passwordOf('ann') },
  })
  const session = /_session_=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const [, rotated] = await app.answer('/api/user/token?rotate=true', { as: 'rae', method: 'POST' })
  const [, person] = await app.answer('/api/users', { as: 'boss', method: 'POST', json: { login: 'zoe' } })
  const secret = { name: 'deploy', data: 'the value of a secret' }
  expect((await app.answer('/api/repos/acme/web/secrets', { as: 'ann', method: 'POST', json: secret }))[0]).toBe(200)
  const hidden = [
    passwordOf('ann'),
    session,
    tokenOf('wes'),
    (rotated as { token: string }).token,
    new URL((person as { invitation: { url: string } }).invitation.url).hash.slice(1),
    secret.data,
  ]
  const stored = await everything()
  expect(stored).toContain('deploy')
  for (const value of hidden) {
    expect(value.length).toBeGreaterThan(10)
    expect(stored).not.toContain(value)
  }
  expect(app.failures).toEqual([])
})
