/** The forge's routes: sign-in by the browser, webhooks, names with slashes, and old names. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Forge } from '../interfaces/forge.ts'
import { saveForgeAccount } from '../store/forge-accounts.ts'
import { createUser } from '../store/users.ts'
import { findForgeRepo, freeSlug, moveRepo } from '../store/forge-repos.ts'
import { createRepo, findRepoBySlug } from '../store/repos.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
let received: Uint8Array[]
const fetched: string[] = []
const forge: Forge = {
  title: 'Gitea',
  url: 'https://git.example.com',
  signIn: 'oauth',
  begin: () => ({ url: 'https://git.example.com/authorize?state=s', cookie: 'sealed' }),
  async finish({ cookie, state, code }) {
    return cookie === 'sealed' && state === 's' && code === 'c'
      ? { user: app.bench.user, isNew: false }
      : { refused: 'This sign-in was not started in this browser' }
  },
  withPassword: async () => ({ refused: 'Unauthorized' }),
  async receive(header, body) {
    received.push(body)
    return header('x-gitea-event') ? { status: 200, message: 'Received' } : { status: 400, message: 'unknown' }
  },
  recheckRight: () => undefined,
  connection: async () => null,
  syncState: () => ({
    running: { done: 3_200, total: 10_000 },
    error: 'Gitea does not answer.',
    refused: ['acme/a b: its name can’t be used in an address'],
    refusedCount: 1,
  }),
  repair: async (repo) => (repo.uid === '61' ? { ...repo, default_branch: 'trunk' } : null),
  async fetchNow(repo) {
    fetched.push(repo.slug)
    return repo.uid === '61'
  },
  pageOf: async () => null,
}

beforeAll(async () => {
  app = await createTestApp({ forge })
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

describe('GET /login', () => {
  it('redirects to the forge, with a cookie for the return', async () => {
    const answer = await app.request('/login')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://git.example.com/authorize?state=s'])
    const cookie = answer.headers.get('set-cookie')
    expect(cookie).toContain('_oauth_state_=sealed')
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
  })

  it('opens a session on the way back, once', async () => {
    const answer = await app.request('/login?code=c&state=s', { headers: { Cookie: '_oauth_state_=sealed' } })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    const cookies = answer.headers.getSetCookie()
    expect(cookies.find((cookie) => cookie.startsWith('_oauth_state_='))).toContain('Max-Age=0')
    expect(cookies.find((cookie) => cookie.startsWith('_session_='))).toBeDefined()
  })

  it.each([
    ['no cookie', '/login?code=c&state=s', ''],
    ['an empty cookie and an empty state', '/login?code=c&state=', '_oauth_state_='],
    ['a state alone', '/login?state=s', '_oauth_state_=sealed'],
    ['an error of the forge', '/login?error=access_denied&state=s', '_oauth_state_=sealed'],
  ])('opens none with %s', async (_what, path, cookie) => {
    const answer = await app.request(path, { headers: cookie ? { Cookie: cookie } : {} })
    expect(answer.headers.get('location')).toMatch(/^\/login\/error\?message=/)
    expect(answer.headers.getSetCookie().some((text) => text.startsWith('_session_='))).toBe(false)
  })

  it('keeps the other sign-ins that this browser started, also when one is refused', async () => {
    const spy = vi.spyOn(forge, 'finish').mockResolvedValueOnce({ refused: 'Try again', cookie: 'others' })
    const answer = await app.request('/login?code=x&state=s', { headers: { Cookie: '_oauth_state_=sealed' } })
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('_oauth_state_=others')])
    const begin = vi.spyOn(forge, 'begin')
    await app.request('/login', { headers: { Cookie: '_oauth_state_=others' } })
    expect(begin).toHaveBeenCalledWith('others')
    spy.mockRestore()
    begin.mockRestore()
  })

  it('redirects nowhere else, whatever the address contains', async () => {
    const path = '/login?code=c&state=s&redirect=https://evil.example.com&next=//evil.example.com'
    const answer = await app.request(path, { headers: { Cookie: '_oauth_state_=sealed' } })
    expect(answer.headers.get('location')).toBe('/')
  })
})

describe('POST /hook', () => {
  it('hands the bytes to the forge as they came', async () => {
    received = []
    const init = { method: 'POST', body: '{"a": 1}', headers: { 'X-Gitea-Event': 'push' } }
    expect(await app.answer('/hook', init)).toEqual([200, { message: 'Received' }])
    expect(Buffer.from(received[0] ?? []).toString()).toBe('{"a": 1}')
    expect((await app.answer('/hook', { method: 'POST', body: '{}' }))[0]).toBe(400)
  })

  it('drops the oldest bodies that do not end, so that they keep no webhook out', async () => {
    const part = new Uint8Array(1024 * 1024)
    const stalled = Array.from({ length: 65 }, () => {
      let ended = false
      let end = () => {}
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(part)
          end = () => controller.close()
        },
        cancel: () => void (ended = true),
      })
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
      const answer = app.app.request('/hook', init)
      return { answer, isEnded: () => ended, end: () => end() }
    })
    const [oldest, second] = stalled
    expect((await oldest?.answer)?.status).toBe(503)
    const init = { method: 'POST', body: '{"a": 1}', headers: { 'X-Gitea-Event': 'push' } }
    expect(await app.answer('/hook', init)).toEqual([200, { message: 'Received' }])
    expect((await second?.answer)?.status).toBe(503)
    const others = stalled.filter(({ isEnded }) => !isEnded())
    expect(others).toHaveLength(63)
    for (const { end } of others) end()
    for (const { answer } of others) expect((await answer).status).toBe(400)
  })

  it('refuses a large body before it is read completely', async () => {
    received = []
    const [status] = await app.answer('/hook', { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024 + 1) })
    expect([status, received]).toEqual([413, []])
  })
})

describe('names', () => {
  const add = (uid: string, namespace: string, name: string) =>
    createRepo(app.bench.db, {
      uid,
      namespace,
      name,
      path: '',
      forge: true,
      default_branch: 'main',
      visibility: 'private',
      now: 1,
    })

  it('with slashes are one encoded part of the address, and no other way to divide them is one', async () => {
    await add('21', 'group/sub', 'tool')
    const of = async (path: string) => (await app.request(path, { as: 'boss' })).status
    for (const rest of [
      '',
      '/builds',
      '/builds/branches',
      '/builds/pulls',
      '/secrets',
      '/cron',
      '/collaborators',
      '/times',
    ]) {
      expect([rest, await of(`/api/repos/group%2Fsub/tool${rest}`)]).toEqual([rest, 200])
    }
    expect(await of('/api/badges/group%2Fsub/tool/status.svg')).toBe(200)
    expect(await of('/api/repos/group/sub%2Ftool')).toBe(404)
    expect((await app.request('/api/repos/group%2Fsub/tool', { as: 'otto' })).status).toBe(404)
  })

  it('from before redirect to the current one, for readers, until another repository has them', async () => {
    const repo = await add('22', 'acme', 'old')
    await moveRepo(app.bench.db, repo, { namespace: 'acme', name: 'new' }, 1)
    const answer = await app.request('/api/repos/acme/old/builds?page=2', { as: 'boss' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/api/repos/acme/new/builds?page=2'])
    const post = await app.request('/api/repos/acme/old/builds', { as: 'boss', method: 'POST' })
    expect([post.status, post.headers.get('location')]).toEqual([308, '/api/repos/acme/new/builds'])
    expect((await app.request('/api/repos/acme/old', { as: 'otto' })).status).toBe(404)
    expect((await app.request('/api/repos/acme/old')).status).toBe(401)
    await add('23', 'acme', 'old')
    expect((await findRepoBySlug(app.bench.db, 'acme/old'))?.uid).toBe('23')
    expect(await app.answer('/api/repos/acme/old', { as: 'boss' })).toMatchObject([200, { uid: '23' }])
  })

  it('that another repository has taken are free at once', async () => {
    const repo = await add('24', 'acme', 'taken')
    await freeSlug(app.bench.db, repo)
    expect(await findForgeRepo(app.bench.db, '24')).toMatchObject({ slug: `acme/taken~${repo.id}` })
    expect((await app.request('/api/repos/acme/taken', { as: 'boss' })).status).toBe(404)
  })
})

describe('rights on a repository of the forge', () => {
  it('are the forge’s to give to its people, and an administrator’s to accounts of this server', async () => {
    const { db } = app.bench
    const values = { uid: '31', namespace: 'acme', name: 'given', path: '', forge: true } as const
    await createRepo(db, { ...values, default_branch: 'main', visibility: 'private', now: 1 })
    const carl = await createUser(db, { login: 'carl', created: 1 })
    const give = (login: string) => {
      const body = JSON.stringify({ read: true, write: false, admin: false })
      return app.answer(`/api/repos/acme/given/collaborators/${login}`, { as: 'boss', method: 'PUT', body })
    }
    expect(await give('carl')).toMatchObject([200, { read: true }])
    await saveForgeAccount(db, { userId: carl.id, uid: '5', login: 'carl', token: '', checked: 1 })
    expect(await give('carl')).toEqual([409, { message: 'Gitea manages the permissions of carl: change them there' }])
  })
})

describe('requests about the connection', () => {
  beforeAll(async () => {
    const facts = { path: '', forge: true, default_branch: 'main', visibility: 'private', now: 1 } as const
    await createRepo(app.bench.db, { uid: '61', namespace: 'team/sub', name: 'asked', ...facts })
  })
  const repo = '/api/repos/team%2Fsub/asked'

  it('returns the progress of a sync, what it skipped, and why the last one failed', async () => {
    const [status, body] = await app.answer('/api/user/sync', { as: 'otto' })
    expect([status, body]).toEqual([
      200,
      {
        syncing: false,
        synced: expect.any(Number) as number,
        done: 3_200,
        total: 10_000,
        error: 'Gitea does not answer.',
        refused: ['acme/a b: its name can’t be used in an address'],
        refused_count: 1,
      },
    ])
  })

  it('repairs the connection of a repository of the forge, for its administrators', async () => {
    expect(await app.answer(`${repo}/repair`, { as: 'boss', method: 'POST' })).toMatchObject([
      200,
      { name: 'asked', default_branch: 'trunk' },
    ])
    expect((await app.request(`${repo}/repair`, { as: 'otto', method: 'POST' })).status).toBe(404)
  })

  it('fetches the mirror at once, for administrators, and not of a folder', async () => {
    expect((await app.request(`${repo}/forge/fetch`, { as: 'boss', method: 'POST' })).status).toBe(204)
    expect((await app.request(`${repo}/forge/fetch`, { as: 'otto', method: 'POST' })).status).toBe(404)
    expect((await app.request('/api/repos/acme/web/forge/fetch', { as: 'boss', method: 'POST' })).status).toBe(400)
    expect(fetched).toEqual(['team/sub/asked', 'acme/web'])
  })
})
