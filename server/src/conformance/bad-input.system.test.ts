import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pipelines } from '../testing/test-bench.ts'
import { access } from '../http/access.ts'
import { setPermissions } from '../store/permissions.ts'
import { findUserByLogin } from '../store/users.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

/** A single call is quick; this limits the thousands of calls per route. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  const { bench } = app
  bench.commit(pipelines({ default: '' }))
  await bench.startBuild()
  const stage = await bench.take()
  for (const step of stage.steps) await bench.endStep(await bench.runStep(step))
  await bench.endStage(stage)
  const made = await Promise.all([
    app.request('/api/repos/acme/web/secrets', { as: 'ann', method: 'POST', json: { name: 'kept', data: 'x' } }),
    app.request('/api/repos/acme/web/cron', {
      as: 'ann',
      method: 'POST',
      json: { name: 'kept', expr: '@daily', branch: 'main' },
    }),
    app.request('/api/secrets/acme', { as: 'boss', method: 'POST', json: { name: 'kept', data: 'x' } }),
  ])
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
})
afterAll(async () => {
  await app.close()
  expect(app.failures, 'nothing broke on the way').toEqual([])
})

/** SQLite's count of all rows ever written. */
async function written(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(app.bench.db)
  return rows[0]?.n ?? 0
}

/** Valid values; each case replaces one of them. */
const good: Record<string, string> = {
  owner: 'acme',
  name: 'web',
  number: '1',
  stage: '1',
  step: '1',
  pull: '7',
  user: 'wes',
  login: 'wes',
  secret: 'kept',
  cron: 'kept',
  namespace: 'acme',
  template: 'none',
  sha: 'main',
}
const badSegments = [
  'nobody-there',
  '0',
  '-1',
  '1e3',
  '99999999999999999999999',
  '1.5',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '%00',
  '%ff',
  '%',
  '%F0%9F%92%A5',
  "' or 1=1 --",
  'a b',
  // Longer than all headers of a request together can be.
  'x'.repeat(20_000),
]
const fieldNames =
  `name data expr branch target login email token password current visibility config_path disabled admin active
  machine trusted protected timeout throttle counter pull_request pull_request_push ignore_forks auto_cancel_running read write`.split(
    /\s+/,
  )
const badValues = ['5', '-1', '1e400', '1.5', '9007199254740993', '[]', '{}', '"<b>../x</b>"', '""', 'true']
const megabyte = `"${'x'.repeat(1_000_000)}"`
const brokenBodies = [
  ...'|{|}|[]|[{}]|5|"text"|true|null|{}|\u0000|{"a":1}{"b":2}|{\'a\':1}|{"name"'.split('|'),
  '['.repeat(200_000),
  `{"name":${'['.repeat(200_000)}`,
  '{"__proto__":{"admin":true},"constructor":{"prototype":{}},"toString":1}',
]
/** Only for calls that read a body. */
const badFields = [
  ...fieldNames.flatMap((name) => badValues.map((value) => `{"${name}":${value}}`)),
  // Everything else that the call needs is valid, so that only the length is wrong.
  ...['name', 'expr', 'branch', 'target', 'login', 'email', 'visibility', 'config_path'].map(
    (name) => `{"name":"long","data":"x","expr":"@daily","branch":"main","${name}":${megabyte}}`,
  ),
]
const badQueries = [
  'page=-1&per_page=99999999999999999999',
  'page=x&per_page=0',
  'page=1e9&per_page=100',
  'before=-1',
  'before=x',
  'branch=%00&ref=%ff&tag=..%2f..',
  `branch=${'x'.repeat(100_000)}`,
  `commit=${'x'.repeat(100_000)}&action=${'x'.repeat(100_000)}&target=${'x'.repeat(100_000)}`,
  'commit=--output%3D%2Ftmp%2Fx&target=%00',
  'commit=main~1&target=%3Cb%3E%0a',
  'rotate=maybe&async=maybe&latest=maybe&remove=maybe&debug=maybe',
]

/**
 * Refusals with status 500 that clients recognize by their text (docs/api §2, recorded), and
 * exceptions.
 */
const knownTexts =
  /^\{"message":"(UNIQUE constraint failed: (?:users|secrets|orgsecrets|cron|cards)\..*|Not Found|signer: key must be 32-bytes|yaml: .*)"\}\n$/

interface Bad {
  path: string
  body?: string
  type?: string
}

/** Calls as an administrator, so that only the input can be refused. */
async function ask(method: string, { path, body, type = 'application/json' }: Bad): Promise<void> {
  const before = await written()
  const response = await app.request(path, {
    as: 'boss',
    method,
    ...(body !== undefined && { body, headers: { 'Content-Type': type } }),
  })
  const { status } = response
  const told = `${method} ${path.slice(0, 150)} ${body?.slice(0, 150) ?? ''}`
  if (response.headers.get('content-type') === 'text/event-stream') {
    await response.body?.cancel()
    return
  }
  const text = await response.text()
  if (status >= 500 && status !== 501) expect(text, told).toMatch(knownTexts)
  if (status < 400) return
  expect(text.length, told).toBeLessThan(5_000_000)
  expect(await written(), `${told} changed something and answered ${status}`).toBe(before)
}

const pathOf = (template: string, values: Record<string, string>): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'none').replace('*', values['rest'] ?? 'x')

const routes = Object.keys(access).map((route) => route.split(' ') as [string, string])

describe.each(routes)('%s %s', (name, template) => {
  const method = name === 'ALL' ? 'POST' : name
  const parameters = [...template.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? '')
  if (template.endsWith('*')) parameters.push('rest')

  if (parameters.length > 0) {
    it('bears any name in its address', async () => {
      for (const parameter of parameters) {
        for (const value of badSegments) await ask(method, { path: pathOf(template, { ...good, [parameter]: value }) })
      }
    })
  }

  it('bears any query', async () => {
    // Names things that do not exist, so that an unaffected call does no harm.
    const path = pathOf(template, { ...good, number: '99', user: 'nobody-there', secret: 'none', cron: 'none' })
    if (method === 'DELETE' && /^\/api\/repos\/:owner\/:name$/.test(template)) return
    for (const query of badQueries) await ask(method, { path: `${path}?${query}` })
  })

  if (/^(POST|PUT|PATCH)$/.test(method)) {
    it('bears any body', async () => {
      const path = pathOf(template, good)
      for (const body of brokenBodies) await ask(method, { path, body })
      const reads = method === 'PATCH' || (await app.request(path, { as: 'boss', method, body: '{' })).status === 400
      for (const body of reads ? badFields : []) await ask(method, { path, body })
      for (const body of [
        '%',
        'a=%ff&branch=%00',
        `message=${'x'.repeat(1_000_000)}`,
        `branch=${'x'.repeat(500_000)}`,
      ]) {
        await ask(method, { path, body, type: 'application/x-www-form-urlencoded' })
      }
      for (const body of ['', '--x\r\n', 'no form at all']) {
        await ask(method, { path, body, type: 'multipart/form-data; boundary=x' })
      }
      await ask(method, { path, body: 'x'.repeat(1_100_000) })
    })
  }
})

it('nothing that was sent has become a name of a megabyte', async () => {
  const lengths = await Promise.all(
    [
      sql<{ n: number }>`select max(length(cron_name) + length(cron_branch) + length(cron_target)) as n from cron`,
      sql<{ n: number }>`select max(length(secret_name)) as n from secrets`,
      sql<{ n: number }>`select max(length(secret_namespace) + length(secret_name)) as n from orgsecrets`,
      sql<{ n: number }>`select max(length(user_login) + length(user_email)) as n from users`,
      sql<{ n: number }>`select max(length(repo_config_path)) as n from repos`,
      sql<{ n: number }>`select max(length(latest_name)) as n from latest`,
      sql<{ n: number }>`select max(length(build_message) + length(build_action) + length(build_ref)) as n from builds`,
    ].map(async (query) => (await query.execute(app.bench.db)).rows[0]?.n ?? 0),
  )
  expect(Math.max(...lengths)).toBeLessThan(5_000)
})

it('what belongs to another repository is not found under one’s own', async () => {
  const { bench } = app
  const own = await app.addRepo('otto', 'own')
  const otto = await findUserByLogin(bench.db, 'otto')
  if (!otto) throw new Error('otto is gone')
  await setPermissions(bench.db, { userId: otto.id, repoId: own.id }, { read: true, write: true, admin: true }, 1)
  for (const path of ['builds/1', 'builds/1/logs/1/1', 'secrets/kept', 'cron/kept', 'collaborators/wes']) {
    expect([path, await app.answer(`/api/repos/otto/own/${path}`, { as: 'otto' })]).toEqual([
      path,
      [404, { message: 'sql: no rows in result set' }],
    ])
  }
  for (const [method, path] of [
    ['DELETE', 'secrets/kept'],
    ['DELETE', 'cron/kept'],
    ['POST', 'cron/kept'],
    ['DELETE', 'builds/1'],
    ['POST', 'builds/1'],
    ['POST', 'builds/1/promote?target=x'],
  ] as const) {
    const before = await written()
    expect((await app.answer(`/api/repos/otto/own/${path}`, { as: 'otto', method }))[0]).toBe(404)
    expect(await written()).toBe(before)
  }
})
