import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../ci/test-bench.ts'
import { updateUser } from '../store/users.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'
import { access, type Level, type RouteName } from './access.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

type Caller = Person | 'guest'
const refusedAsGuest = [401, { message: 'Unauthorized' }]
const hidden = [404, { message: 'Not Found' }]
const forbidden = [403, { message: 'Forbidden' }]

/** What each caller of a private repository hears; `null` = the call is let through (wire.md §2.0). */
const expected: Record<Level, Record<Caller, unknown>> = {
  anyone: { guest: null, otto: null, robot: null, rae: null, wes: null, ann: null, boss: null },
  user: { guest: refusedAsGuest, otto: null, robot: null, rae: null, wes: null, ann: null, boss: null },
  sysadmin: {
    guest: refusedAsGuest,
    otto: forbidden,
    robot: forbidden,
    rae: forbidden,
    wes: forbidden,
    ann: forbidden,
    boss: null,
  },
  read: { guest: refusedAsGuest, otto: hidden, robot: hidden, rae: null, wes: null, ann: null, boss: null },
  write: { guest: refusedAsGuest, otto: hidden, robot: hidden, rae: hidden, wes: null, ann: null, boss: null },
  admin: { guest: refusedAsGuest, otto: hidden, robot: hidden, rae: hidden, wes: hidden, ann: null, boss: null },
}
const callers = Object.keys(expected.anyone) as Caller[]
const samples: Record<string, string> = {
  owner: 'acme',
  name: 'web',
  user: 'nobody-there',
  login: 'nobody-there',
  number: '99',
  stage: '1',
  step: '1',
  pull: '7',
  secret: 'none',
  cron: 'none',
}
const addressOf = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => samples[name] ?? name).replace('*', 'x')

/** Those that are let through, in an order in which no call takes away what a later one needs. */
const asked = (route: RouteName, caller: Caller) => {
  const [method = '', path = ''] = route.split(' ')
  const call = { method, ...(caller !== 'guest' && { as: caller }) }
  return app.request(addressOf(path), call)
}

describe.each(Object.entries(access))('%s', (route, level) => {
  it.each(callers)(`as %s`, async (caller) => {
    const response = await asked(route as RouteName, caller)
    const answer = expected[level][caller]
    if (answer !== null) {
      expect([response.status, await response.json()]).toEqual(answer)
      return
    }
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = isStream ? '' : await response.text()
    if (isStream) await response.body?.cancel()
    expect([401, 403]).not.toContain(response.status)
    expect(text).not.toContain('"Not Found"')
  })
})

describe('visibility', () => {
  const status = async (caller: Caller, path = '/api/repos/acme/web', method = 'GET') =>
    (await app.request(path, { method, ...(caller !== 'guest' && { as: caller }) })).status

  it('public: everybody reads, nobody else writes', async () => {
    await app.changeRepo({ visibility: 'public' })
    expect(await Promise.all([status('guest'), status('otto')])).toEqual([200, 200])
    expect(await status('otto', '/api/repos/acme/web/secrets')).toBe(404)
    expect(await status('guest', '/api/repos/acme/web/secrets')).toBe(401)
  })

  it('internal: whoever is signed in reads', async () => {
    await app.changeRepo({ visibility: 'internal' })
    expect(await Promise.all([status('guest'), status('otto')])).toEqual([401, 200])
  })

  it('a disabled account is refused where it had rights, and sees what all see', async () => {
    const ann = app.bench.user
    await updateUser(app.bench.db, ann.id, { active: false })
    expect(await app.answer('/api/repos/acme/web/secrets', { as: 'ann' })).toEqual(forbidden)
    expect(await status('ann')).toBe(200)
    await app.changeRepo({ visibility: 'private' })
    expect(await app.answer('/api/repos/acme/web', { as: 'ann' })).toEqual(forbidden)
    expect((await app.answer('/api/user', { as: 'ann' }))[0]).toBe(200)
  })
})
