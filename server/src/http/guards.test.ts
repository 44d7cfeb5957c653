/**
 * The guards alone, for each state of a permission; each route with each role:
 * `conformance/roles.test.ts`.
 */
import type { Repo, User } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../store/open.ts'
import { setPermissions } from '../store/permissions.ts'
import { createRepo, updateRepo } from '../store/repos.ts'
import { createUser } from '../store/users.ts'
import { Hono } from 'hono'
import { Refusal } from '../lib/refusal.ts'
import type { Level } from './access.ts'
import type { AppEnv } from './context.ts'
import { createEventRights } from './events/event-rights.ts'
import { requireRepo, guard, mayRead } from './guards.ts'

const people = ['boss', 'stranger', 'nothing', 'reader', 'writer', 'owner'] as const
type Name = (typeof people)[number] | 'guest'
const rights: Partial<Record<Name, { read: boolean; write: boolean; admin: boolean }>> = {
  // A row may hold nothing.
  nothing: { read: false, write: false, admin: false },
  reader: { read: true, write: false, admin: false },
  writer: { read: true, write: true, admin: false },
  owner: { read: true, write: true, admin: true },
}

let store: Store
let repo: Repo
const users = new Map<Name, User>()
const userOf = (name: Name): User | null => users.get(name) ?? null

beforeAll(async () => {
  store = openStore(':memory:')
  const base = { uid: 'a/b', namespace: 'a', name: 'b', path: '/a/b', default_branch: 'main', now: 1 }
  repo = await createRepo(store.db, { ...base, visibility: 'private' })
  for (const login of people) {
    const user = await createUser(store.db, { login, admin: login === 'boss', created: 1 })
    users.set(login, user)
    const own = rights[login]
    if (own) await setPermissions(store.db, { userId: user.id, repoId: repo.id }, own, 1)
  }
})
afterAll(() => store.close())

const everybody: Name[] = ['guest', ...people]
const who = async (may: (user: User | null) => Promise<boolean>): Promise<Name[]> => {
  const answers = await Promise.all(everybody.map((name) => may(userOf(name))))
  return everybody.filter((_name, index) => answers[index])
}
const maySee = (user: User | null, visibility: Repo['visibility']) =>
  createEventRights(store.db, store.rights)(user?.id ?? null, { repoId: repo.id, visibility })
const members: Name[] = ['reader', 'writer', 'owner']

describe.each([
  ['private', [], ['boss', ...members], members],
  ['internal', ['boss', 'stranger', 'nothing'], ['boss', ...members], ['boss', 'stranger', 'nothing', ...members]],
  ['public', ['guest', 'boss', 'stranger', 'nothing'], ['boss', ...members], everybody],
] as const)('a %s repository', (visibility, more, inside, watchers) => {
  beforeAll(async () => {
    repo = await updateRepo(store.db, { ...repo, visibility })
  })
  const enters = (level: 'read' | 'member' | 'write' | 'admin') =>
    who((user) =>
      requireRepo(store.db, user, 'a/b', level).then(
        (entered) => entered.id === repo.id,
        () => false,
      ),
    )
  const readers = everybody.filter(
    (name) => (more as readonly Name[]).includes(name) || inside.includes(name as 'boss'),
  )

  it('is readable by visibility, and by membership', async () => {
    expect(await enters('read')).toEqual(readers)
    expect(await enters('member')).toEqual(inside)
    expect(await who((user) => mayRead(store.db, user, repo))).toEqual(readers)
  })
  it('is changeable by right, whatever the visibility', async () => {
    expect(await enters('write')).toEqual(['boss', 'writer', 'owner'])
    expect(await enters('admin')).toEqual(['boss', 'owner'])
  })
  it('sends events to those, but nothing extra to administrators', async () => {
    expect(await who(async (user) => maySee(user, visibility))).toEqual(watchers)
  })
  it('sends an event from a private time to members only, and one from a public time by the current visibility', async () => {
    const sees = (then: Repo['visibility']) => who(async (user) => maySee(user, then))
    expect(await sees('private')).toEqual(inside.filter((name) => name !== 'boss'))
    expect(await sees('public')).toEqual(watchers)
    const enter = (then: Repo['visibility']) =>
      who((user) =>
        requireRepo(store.db, user, 'a/b', 'read', { visibilityThen: then }).then(
          () => true,
          () => false,
        ),
      )
    expect(await enter('private')).toEqual(inside)
    expect(await enter('public')).toEqual(readers)
  })
})

describe('a route', () => {
  const answer = async (level: Level, name: Name, path = '/a/b') => {
    const app = new Hono<AppEnv>()
    app.onError((error) => new Response(error.message, { status: error instanceof Refusal ? error.status : 500 }))
    app.use(async (c, next) => {
      c.set('user', userOf(name))
      await next()
    })
    const at = level === 'namespace' ? '/:namespace/b' : '/:owner/:name'
    app.all(at, async (c) => {
      await guard(store.db, c, level)
      return c.text(c.get('repo')?.slug ?? 'allowed')
    })
    const response = await app.request(path)
    return `${response.status} ${await response.text()}`
  }

  it.each([
    ['anyone', 'guest', '200 allowed'],
    // The handler refuses with its own message.
    ['metrics', 'guest', '200 allowed'],
    ['user', 'guest', '401 Unauthorized'],
    ['user', 'stranger', '200 allowed'],
    ['user', 'boss', '200 allowed'],
    ['sysadmin', 'guest', '401 Unauthorized'],
    ['sysadmin', 'stranger', '403 Forbidden'],
    ['sysadmin', 'boss', '200 allowed'],
    ['namespace', 'guest', '401 Unauthorized'],
    ['namespace', 'stranger', '401 Forbidden'],
    ['namespace', 'boss', '200 allowed'],
    ['read', 'reader', '200 a/b'],
    ['write', 'reader', '404 Not Found'],
    ['write', 'writer', '200 a/b'],
    ['admin', 'boss', '200 a/b'],
  ] as const)('for %s answers %s with %s', async (level, name, expected) => {
    repo = await updateRepo(store.db, { ...repo, visibility: 'private' })
    expect(await answer(level, name)).toBe(expected)
  })
  it('of a namespace is open to whom it is named after', async () => {
    expect(await answer('namespace', 'stranger', '/stranger/b')).toBe('200 allowed')
    expect(await answer('namespace', 'stranger', '/reader/b')).toBe('401 Forbidden')
  })
})

describe('a refusal', () => {
  const refusal = (name: Name, slug: string, level: 'read' | 'write') =>
    requireRepo(store.db, userOf(name), slug, level).catch((error: unknown) => error)

  it('is the same for what is not there as for what is not shown', async () => {
    repo = await updateRepo(store.db, { ...repo, visibility: 'private' })
    for (const slug of ['a/b', 'a/gone']) {
      expect(await refusal('guest', slug, 'read')).toMatchObject({ status: 401, message: 'Unauthorized' })
      expect(await refusal('stranger', slug, 'read')).toMatchObject({ status: 404, message: 'Not Found' })
      expect(await refusal('nothing', slug, 'read')).toMatchObject({ status: 404, message: 'Not Found' })
    }
    expect(await refusal('boss', 'a/gone', 'read')).toMatchObject({ status: 404 })
    expect(await refusal('reader', 'a/b', 'write')).toMatchObject({ status: 404 })
    expect(await who((user) => mayRead(store.db, user, null))).toEqual([])
  })
})
