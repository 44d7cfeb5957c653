/**
 * No read tells anything of a private repository to a person without access, nor to one who lost
 * it: every row of the contract whose call is a GET, by the text of its response.
 */
import { endpoints, type Row } from '@flightdeck/api/endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deletePermissions } from '../store/permissions.ts'
import { findUserByLogin } from '../store/users.ts'
import { createTestApp, tokenOf, type Person, type TestApp } from '../testing/test-app.ts'
import { pipelines } from '../testing/test-bench.ts'

const rows: Row[] = Object.values<Row>(endpoints)
/** Streams have no end; `stream-rights.test.ts` has them. */
const reads = rows
  .map(({ call }) => call)
  .filter((call) => call.startsWith('GET ') && !/stream/.test(call))
  .map((call) => call.slice(4))

/** In the names and texts of everything that the repository has. */
const secretWord = /acme|kestrel/i

const values: Record<string, string> = {
  owner: 'acme',
  name: 'web',
  number: '1',
  stage: '1',
  step: '1',
  environment: 'kestrel',
  secret: 'kestrel',
  cron: 'kestrel',
  namespace: 'acme',
  template: 'kestrel',
  login: 'ann',
  user: 'ann',
  part: '1',
}
let app: TestApp
let commit = ''

beforeAll(async () => {
  app = await createTestApp()
  commit = app.bench.commit(pipelines({ default: '' }), 'Teach the kestrel')
  await app.bench.push(commit)
  await app.changeRepo({ visibility: 'private' })
  const write = async (as: Person, method: string, path: string, json?: object) => {
    const [status, body] = await app.answer(path, { as, method, ...(json && { json }) })
    expect(status, `${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
  }
  await write('ann', 'POST', '/api/repos/acme/web/secrets', { name: 'kestrel', data: 'nest' })
  await write('ann', 'POST', '/api/repos/acme/web/cron', { name: 'kestrel', expr: '@daily', branch: 'main' })
  // Kept by a person who had access and lost it.
  await write('wes', 'PUT', '/api/user/favorites/acme/web')
  await write('wes', 'POST', '/api/user/wall-links', { name: 'Kitchen', repos: ['acme/web'] })
  const wes = await findUserByLogin(app.bench.db, 'wes')
  await deletePermissions(app.bench.db, wes?.id ?? 0, app.bench.repo.id)
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const pathOf = (pattern: string): string =>
  `${pattern.replace('/*', '/main').replaceAll(/:(\w+)/g, (_, name: string) => (name === 'sha' ? commit : (values[name] ?? '1')))}?${new URLSearchParams(
    {
      text: 'main',
      base: commit,
      head: commit,
      ref: 'refs/heads/main',
      branch: 'main',
      latest: 'true',
      show: 'all',
    },
  )}`

const read = async (path: string, as: Person | undefined): Promise<string> => {
  const headers = as && { Authorization: `Bearer ${tokenOf(as)}` }
  const response = await app.app.request(path, { ...(headers && { headers }), redirect: 'manual' })
  // Not the address: a redirect repeats the one that was asked for.
  return response.text()
}

it('has something to hide', async () => {
  expect(await read('/api/search?text=main', 'rae')).toMatch(secretWord)
  expect(await read('/api/user/builds', 'rae')).toMatch(secretWord)
})

it.each(reads)('%s tells nothing of it', async (pattern) => {
  const path = pathOf(pattern)
  const seen: string[] = []
  for (const as of ['otto', 'wes', 'robot', undefined] as const) {
    const text = await read(path, as)
    if (secretWord.test(text)) seen.push(`${as ?? 'guest'}: ${text.slice(0, 300)}`)
  }
  expect(seen).toEqual([])
})
