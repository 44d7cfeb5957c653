import type { AuditEntry, AuditPage } from '@flightdeck/api'
import { repoSettings, systemSettings } from '@flightdeck/api/schema'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pruneAudit } from '../../store/audit.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ passwords: true })
})
afterEach(() => app.close())

const page = async (query = '', as: Person = 'boss') => (await app.answer(`/api/audit${query}`, { as }))[1] as AuditPage
const entries = async (query = ''): Promise<AuditEntry[]> => (await page(query)).items
/** What was written since the setup, the oldest first. */
const told = async (query = '') =>
  (await entries(`${query || '?'}&per_page=100`))
    .filter(({ user }) => user !== '')
    .map(({ user, action, target, name, details }) => [user, action, target, name, details])
    .toReversed()
const repo = '/api/repos/acme/web'
const call = async (as: Person, method: string, path: string, json?: unknown) => {
  const [status, body] = await app.answer(path, { as, method, ...(json !== undefined && { json }) })
  expect([path, status, body]).toEqual([path, expect.toBeOneOf([200, 204]), body])
  return body
}

it('records who changed rights, secrets, settings and tokens, never with a value', async () => {
  await call('ann', 'PUT', `${repo}/collaborators/otto`, { read: true })
  await call('ann', 'PUT', `${repo}/collaborators/otto`, { read: true, write: true })
  await call('ann', 'DELETE', `${repo}/collaborators/otto`)
  await call('wes', 'POST', `${repo}/secrets`, { name: 'password', data: 'hunter2-first' })
  await call('wes', 'PATCH', `${repo}/secrets/password`, { data: 'hunter2-second', pull_request: true })
  await call('wes', 'DELETE', `${repo}/secrets/password`)
  await call('boss', 'POST', '/api/secrets/acme', { name: 'shared', data: 'hunter2-third' })
  await call('ann', 'PATCH', repo, { visibility: 'internal', ignore_forks: true })
  await call('wes', 'POST', `${repo}/cron`, { name: 'nightly', expr: '@daily', branch: 'main' })
  await call('wes', 'PATCH', `${repo}/cron/nightly`, { disabled: true })
  await call('wes', 'DELETE', `${repo}/cron/nightly`)
  const { token, id } = (await call('rae', 'POST', '/api/user/tokens', { name: 'script' })) as {
    token: string
    id: number
  }
  await call('rae', 'DELETE', `/api/user/tokens/${id}`)
  await call('boss', 'POST', '/api/users', { login: 'all', repositories: '*', role: 'write' })
  await call('boss', 'POST', '/api/users', { login: 'zoe' })
  await call('boss', 'PATCH', '/api/users/zoe', { admin: true })
  await call('boss', 'DELETE', '/api/users/zoe')
  expect(await told()).toEqual([
    ['ann', 'access.granted', 'acme/web', 'otto', { role: 'read' }],
    ['ann', 'access.changed', 'acme/web', 'otto', { role: ['read', 'write'] }],
    ['ann', 'access.removed', 'acme/web', 'otto', { role: 'write' }],
    ['wes', 'secret.created', 'acme/web', 'password', { pull_request: 0 }],
    ['wes', 'secret.changed', 'acme/web', 'password', { pull_request: [0, 1], value: 'changed' }],
    ['wes', 'secret.deleted', 'acme/web', 'password', {}],
    ['boss', 'secret.created', 'acme', 'shared', { pull_request: 0 }],
    ['ann', 'repo.changed', 'acme/web', '', { visibility: ['private', 'internal'], ignore_forks: [0, 1] }],
    ['wes', 'cron.created', 'acme/web', 'nightly', { expr: '@daily', branch: 'main' }],
    ['wes', 'cron.changed', 'acme/web', 'nightly', { disabled: [0, 1] }],
    ['wes', 'cron.deleted', 'acme/web', 'nightly', {}],
    ['rae', 'token.created', 'rae', 'script', { expires: 0 }],
    ['rae', 'token.revoked', 'rae', 'script', {}],
    ['boss', 'user.created', 'all', '', { admin: 0, machine: 0 }],
    ['boss', 'access.granted', 'all repositories', 'all', { role: 'write' }],
    ['boss', 'user.invited', 'all', '', {}],
    ['boss', 'user.created', 'zoe', '', { admin: 0, machine: 0 }],
    ['boss', 'user.invited', 'zoe', '', {}],
    ['boss', 'user.changed', 'zoe', '', { admin: [0, 1] }],
    ['boss', 'user.deleted', 'zoe', '', {}],
  ])
  const rows = JSON.stringify(await app.bench.db.selectFrom('audit').selectAll().execute())
  expect(rows).not.toContain('hunter2')
  expect(rows).not.toContain(token)
})

it('records a change of every setting that PATCH accepts, except the counter', async () => {
  const values: Record<string, unknown> = { visibility: 'internal', config_path: 'ci.yml', timeout: 15, throttle: 2 }
  const names = Object.keys({ ...repoSettings, ...systemSettings }).filter((name) => name !== 'counter')
  for (const name of names) await call('boss', 'PATCH', repo, { [name]: values[name] ?? true })
  await call('boss', 'PATCH', repo, { counter: 1000 })
  const recorded = (await told()).map(([, action, , , details]) => [action, ...Object.keys(details ?? {})])
  expect(recorded).toEqual(names.map((name) => ['repo.changed', name]))
})

it('records who deployed, approved and declined', async () => {
  await app.changeRepo({ protected: true })
  app.bench.commit(pipelines({ default: '', second: '' }))
  await app.bench.startBuild()
  await call('wes', 'POST', `${repo}/builds/1/approve/1`)
  await call('ann', 'POST', `${repo}/builds/1/decline/2`)
  await call('wes', 'POST', `${repo}/builds/1/promote?target=production`)
  expect(await told()).toEqual([
    ['wes', 'stage.approved', 'acme/web', '#1 default', {}],
    ['ann', 'stage.declined', 'acme/web', '#1 second', {}],
    [
      'wes',
      'deployment.promote',
      'acme/web',
      '#2',
      { environment: 'production', commit: expect.any(String) as string, of: 1 },
    ],
  ])
})

it('records the address, and a change that is refused or fails writes nothing', async () => {
  const headers = { 'user-agent': 'curl/8' }
  const secret = { name: 'a', data: 'b' }
  await app.answer(`${repo}/secrets`, { as: 'wes', method: 'POST', json: secret, headers })
  for (const [as, json] of [
    ['wes', secret],
    ['rae', { name: 'c', data: 'd' }],
  ] as const)
    expect((await app.answer(`${repo}/secrets`, { as, method: 'POST', json }))[0]).toBeGreaterThan(399)
  expect(await entries('?kind=secrets')).toEqual([
    expect.objectContaining({ user: 'wes', agent: 'curl/8', time: app.bench.clock.now, action: 'secret.created' }),
  ])
})

it('a sync writes no entry', async () => {
  const before = (await entries()).length
  await call('boss', 'POST', '/api/user/repos')
  expect((await entries()).length).toBe(before)
})

it('is filtered, and paged by keyset', async () => {
  for (let index = 0; index < 5; index += 1)
    await call('wes', 'POST', `${repo}/secrets`, { name: `s${index}`, data: 'x' })
  await call('rae', 'POST', '/api/user/tokens', { name: 'mine' })
  const names = (found: AuditPage) => found.items.map(({ name }) => name)
  const first = await page('?user=WES&per_page=2')
  expect(names(first)).toEqual(['s4', 's3'])
  const second = await page(`?user=wes&per_page=2&before=${first.next}`)
  expect(names(second)).toEqual(['s2', 's1'])
  expect(await page(`?user=wes&per_page=2&before=${second.next}`)).toEqual({
    items: [expect.objectContaining({ name: 's0' })],
  })
  expect(names(await page('?kind=tokens&user=rae'))).toEqual(['mine'])
  expect(names(await page('?text=S3'))).toEqual(['s3'])
  expect(names(await page(`?since=${app.bench.clock.now + 1}`))).toEqual([])
  const { now } = app.bench.clock
  app.bench.clock.now += 100
  await call('wes', 'POST', `${repo}/secrets`, { name: 'later', data: 'x' })
  expect(names(await page(`?since=${now + 1}`))).toEqual(['later'])
  expect(names(await page(`?user=wes&until=${now}`))[0]).toBe('s4')
  expect(await app.answer('/api/audit?kind=nonsense', { as: 'boss' })).toEqual([
    400,
    { message: 'Invalid kind "nonsense"' },
  ])
  expect((await app.answer('/api/audit?before=x', { as: 'boss' }))[0]).toBe(400)
})

it('is exported completely, as CSV without formulas and as JSON lines', async () => {
  await call('wes', 'POST', '/api/user/tokens', { name: '=1+1,"x"' })
  const csv = await app.request('/api/audit/export?user=wes', { as: 'boss' })
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
  const lines = (await csv.text()).split('\r\n')
  expect(lines[0]).toBe('time,user,kind,action,target,name,details,address,agent')
  expect(lines[1]).toContain(`wes,tokens,token.created,wes,"'=1+1,""x""",`)
  const json = await (await app.request('/api/audit/export?format=jsonl', { as: 'boss' })).text()
  const exported = json
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as AuditEntry).id)
  expect(exported).toEqual((await entries('?per_page=100')).map(({ id }) => id))
})

it('keeps a year, and a bounded number of entries', async () => {
  const { db } = app.bench
  await call('wes', 'POST', `${repo}/secrets`, { name: 'old', data: 'x' })
  const year = 366 * 24 * 3600
  await pruneAudit(db, app.bench.clock.now + year)
  expect((await entries('?user=wes')).length).toBe(1)
  await pruneAudit(db, app.bench.clock.now + year + 1)
  expect((await entries('?user=wes')).length).toBe(0)
  for (let index = 0; index < 5; index += 1)
    await call('wes', 'POST', `${repo}/secrets`, { name: `s${index}`, data: 'x' })
  for (let round = 0; round < 20; round += 1) await pruneAudit(db, app.bench.clock.now, { maxEntries: 3, batch: 2 })
  expect((await entries()).map(({ name }) => name)).toEqual(['s4', 's3', 's2'])
})
