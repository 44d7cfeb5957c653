/** Streams that are opened again with the same head, by a person whose rights change in between. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listen, type Listener } from '../listener/listener.ts'
import { startSession } from '../people/sessions.ts'
import { deletePermissions, setPermissions } from '../store/permissions.ts'
import { updateRepo } from '../store/repos.ts'
import { createFigures } from '../operation/figures.ts'
import { findUserByLogin } from '../store/users.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
let listener: Listener
let headers: Record<string, string>
beforeEach(async () => {
  app = await createTestApp()
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
  const cookie = await startSession(app.bench.db, await find('rae'), app.bench.clock.now)
  headers = { Cookie: `_session_=${cookie}` }
  await updateRepo(app.bench.db, { ...app.bench.repo, visibility: 'private' })
})
afterEach(async () => {
  await listener.close()
  expect(app.failures).toEqual([])
  await app.close()
})

const find = async (login: string) => (await findUserByLogin(app.bench.db, login)) ?? expect.fail('nobody')

/** Opens a stream, leaves it, and answers its status and for whom it was. */
async function open(path: string) {
  const gone = new AbortController()
  const response = await fetch(`${listener.url}${path}`, { headers, signal: gone.signal })
  gone.abort()
  return [response.status, response.headers.get('x-flightdeck-user')]
}

it('a person who may no longer read a repository gets no further stream of it', async () => {
  const rae = await find('rae')
  const own = '/api/stream/acme/web'
  expect([await open(own), await open(own)]).toEqual([
    [200, String(rae.id)],
    [200, String(rae.id)],
  ])
  await deletePermissions(app.bench.db, rae.id, app.bench.repo.id)
  expect((await open(own))[0]).toBe(404)
  const read = { read: true, write: false, admin: false }
  await setPermissions(app.bench.db, { userId: rae.id, repoId: app.bench.repo.id }, read, 1)
  expect((await open(own))[0]).toBe(200)
})

it('a session that has ended opens no further stream for its person', async () => {
  const { id } = await find('rae')
  expect([await open('/api/stream'), await open('/api/stream')]).toEqual([
    [200, String(id)],
    [200, String(id)],
  ])
  await app.bench.db.deleteFrom('sessions').execute()
  expect(await open('/api/stream')).toEqual([200, '0'])
})

it('a session that expires without a change of rights opens streams for a few seconds at most', async () => {
  const { id } = await find('rae')
  await open('/api/stream')
  await app.bench.db
    .updateTable('sessions')
    .set({ session_expires: app.bench.clock.now + 1 })
    .execute()
  app.bench.clock.now += 10
  expect(await open('/api/stream')).not.toEqual([200, String(id)])
})

it('each counts as a request', async () => {
  const figures = createFigures(app.bench.dir)
  const counted = await createTestApp({ figures })
  try {
    listener.serve(counted.app.fetch)
    headers = {}
    for (let times = 0; times < 3; times += 1) await open('/api/stream')
    expect(await figures.text()).toMatch(/_count\{method="GET",route="\/api\/stream",status="200"\} 3\n/)
  } finally {
    await counted.close()
  }
})
