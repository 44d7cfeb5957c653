import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access, type Level } from '../http/access.ts'
import { sealToken } from '../people/tokens.ts'
import { openSecretsBox } from '../lib/secrets-box.ts'
import { deletePermissions, setPermissions } from '../store/permissions.ts'
import { createUser, setToken, updateUser } from '../store/users.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { callers, expected, facts, visibilities, type Caller, type Visibility } from './roles-expected.ts'

/** Names things that do not exist, so that allowed callers do no harm. */
const samples: Record<string, string> = { owner: 'acme', name: 'web', number: '99', stage: '1', step: '1', pull: '99' }
const addressOf = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => samples[name] ?? 'nobody-there').replace('*', 'x')
const tokenOf = (caller: Caller): string => `token-of-${caller.replaceAll(' ', '-')}`

let app: TestApp
const ids = new Map<Caller, number>()

beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit('kind: pipeline\ntype: exec\nname: test\nsteps: []\n')
  const box = openSecretsBox(app.bench.dir)
  for (const caller of callers) {
    const { guest, disabled, admin = false, machine = false } = facts[caller]
    if (guest && !disabled) continue
    const user = { login: caller.replaceAll(' ', '-'), admin, machine, created: 1 }
    const { id } = await createUser(app.bench.db, user)
    await setToken(app.bench.db, id, sealToken(box, tokenOf(caller)))
    ids.set(caller, id)
  }
})
afterAll(async () => {
  await app.close()
  expect(app.failures, 'nothing broke on the way').toEqual([])
})

/**
 * An allowed call may have changed rights (a sync), the owner or the state: restores them.
 */
async function prepare(caller: Caller, visibility: Visibility): Promise<void> {
  const { db } = app.bench
  const repo = await app.changeRepo({ visibility, active: true })
  const id = ids.get(caller)
  if (id === undefined) return
  const { admin = false, disabled = false, row } = facts[caller]
  await updateUser(db, id, { admin, active: !disabled })
  if (row === undefined) {
    await deletePermissions(db, id, repo.id)
    return
  }
  const rights = { read: true, write: row !== 'read', admin: row === 'admin' }
  await setPermissions(db, { userId: id, repoId: repo.id }, rights, 1)
}

async function verdictOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') === 'text/event-stream') {
    await response.body?.cancel()
    return 'allowed'
  }
  const text = await response.text()
  const { status } = response
  // docs/api §2.1: the user may call this, but the repository source does not support it.
  if (status === 500 && text === '{"message":"Not Found"}\n') return 'allowed'
  for (const message of ['Unauthorized', 'Forbidden', 'Not Found']) {
    if (text === `${JSON.stringify({ message })}\n`) return `${status} ${message}`
  }
  // Omitted values do not change the response for callers with permission.
  const isStrange = [401, 403, 405].includes(status) || (status >= 500 && status !== 501)
  if (/^(Invalid or missing prometheus token|Access denied)\n$/.test(text)) return `${status} ${text.trim()}`
  return isStrange || text.startsWith('404 page') ? `${response.status} ${text}` : 'allowed'
}

async function ask(route: string, caller: Caller, visibility: Visibility): Promise<string> {
  const [name = '', path = ''] = route.split(' ')
  const method = name === 'ALL' ? 'GET' : name
  await prepare(caller, visibility)
  const headers = caller === 'signed out' ? undefined : { Authorization: `Bearer ${tokenOf(caller)}` }
  return verdictOf(await app.request(addressOf(path), { method, ...(headers && { headers }) }))
}

/**
 * The quick tier tests each route with a private repository and, where the visibility changes a
 * verdict, with a public one.
 */
function tierOf(level: Level, visibility: Visibility): '' | ' @system' {
  const verdicts = (one: Visibility) => callers.map((caller) => expected[level](facts[caller], one)).join()
  if (visibility === 'private') return ''
  return visibility === 'public' && verdicts('public') !== verdicts('private') ? '' : ' @system'
}

describe.each(Object.entries(access))('%s (%s)', (route, level) => {
  const cases = visibilities.map((visibility) => [visibility, tierOf(level, visibility)] as const)
  it.each(cases)('with a repository that is %s%s', async (visibility) => {
    const heard: [Caller, string][] = []
    for (const caller of callers) heard.push([caller, await ask(route, caller, visibility)])
    expect(heard).toEqual(callers.map((caller) => [caller, expected[level](facts[caller], visibility)]))
  })
})

it('a bad token makes a guest, even beside a good one', async () => {
  const headers = { Authorization: 'Bearer nonsense' }
  const response = await app.request(`/api/user?access_token=${encodeURIComponent(tokenOf('reader'))}`, { headers })
  expect(await verdictOf(response)).toBe('401 Unauthorized')
})

describe('a namespace', () => {
  const ask = async (method: string, path: string, token: string, json?: unknown) => {
    const headers = { Authorization: `Bearer ${token}` }
    return app.request(path, { method, headers, ...(json !== undefined && { json }) })
  }

  it('belongs to the account with its login', async () => {
    await prepare('reader', 'private')
    const made = await ask('POST', '/api/secrets/reader', tokenOf('reader'), { name: 'mine', data: 'x' })
    expect(made.status).toBe(200)
    expect((await ask('GET', '/api/secrets/reader/mine', tokenOf('reader'))).status).toBe(200)
    expect(await verdictOf(await ask('GET', '/api/secrets/reader/mine', tokenOf('writer')))).toBe('401 Forbidden')
    // Case-sensitive here, although the store finds secrets regardless of case.
    expect(await verdictOf(await ask('GET', '/api/secrets/READER/mine', tokenOf('reader')))).toBe('401 Forbidden')
  })

  it('is not a disabled account’s', async () => {
    await prepare('disabled user', 'private')
    expect(await verdictOf(await ask('GET', '/api/secrets/disabled-user', tokenOf('disabled user')))).toBe(
      '401 Unauthorized',
    )
  })
})

it('a repository that is not there sounds like one that is hidden', async () => {
  const foreign = { Authorization: `Bearer ${tokenOf('foreign user')}` }
  const verdict = async (headers?: Record<string, string>) =>
    verdictOf(await app.request('/api/repos/acme/nope', { ...(headers && { headers }) }))
  expect([await verdict(), await verdict(foreign)]).toEqual(['401 Unauthorized', '404 Not Found'])
})
