import type { Build, CreatedAccessToken } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBuild, findBuildByNumber } from '../../store/builds.ts'
import { deletePermissions, setPermissions } from '../../store/permissions.ts'
import { findUserByLogin, updateUser } from '../../store/users.ts'
import { createTestApp, tokenOf, type Person, type TestApp } from '../../testing/test-app.ts'
import { all, faultsOf, hrefOf, readXml, textOf, type AtomElement } from '../../testing/read-atom.ts'
import { pipelines } from '../../testing/test-bench.ts'

const repoFeed = '/api/repos/acme/web/builds/feed.atom'
const userFeed = '/api/user/feed.atom'

let app: TestApp
let first: Omit<Build, 'id' | 'version'>
beforeEach(async () => {
  app = await createTestApp()
  await app.bench.push(app.bench.commit(pipelines({ default: '' })))
  const { id: _, version: __, ...build } = (await findBuildByNumber(app.bench.db, app.bench.repo.id, 1)) as Build
  first = build
})
afterEach(async () => {
  await app.close()
  expect(app.failures).toEqual([])
})

const addBuild = (number: number, more: Partial<Build> = {}) =>
  createBuild(app.bench.db, {
    ...first,
    number,
    status: 'success',
    created: 1000 + number,
    started: 1001 + number,
    finished: 1061 + number,
    ...more,
  })

const basic = (login: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})
const createToken = async (as: Person, expires = 0): Promise<CreatedAccessToken> => {
  const json = { name: `feed reader ${expires}`, expires }
  const [status, token] = await app.answer('/api/user/tokens', { as, method: 'POST', json })
  expect(status).toBe(200)
  return token as CreatedAccessToken
}
const statusOf = async (path: string, headers: Record<string, string> = {}) =>
  (await app.request(path, { headers })).status

async function read(path: string, as: Person = 'rae'): Promise<AtomElement> {
  const response = await app.request(path, { as })
  const text = await response.text()
  expect([response.status, response.headers.get('content-type')], text).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ])
  const feed = readXml(text)
  expect(faultsOf(feed)).toEqual([])
  return feed
}
const titles = async (path: string, as: Person = 'rae') =>
  all(await read(path, as), 'entry').map((entry) => textOf(entry, 'title'))

it('lists what has finished, the newest first, with absolute addresses and why it failed', async () => {
  const cause = { stage: 1, step: 1, stage_name: 'default', step_name: 'test', line: 4, text: 'expected 220,\tgot 180' }
  await addBuild(2, { message: 'Add a discount\n\nwith details', author_name: 'Ada Lovelace' })
  const failed = await addBuild(3, { status: 'failure', message: 'Break it', finished: 1200, target: 'fix/rounding' })
  await app.bench.db
    .updateTable('builds')
    .set({ build_cause: JSON.stringify(cause) })
    .where('build_id', '=', failed.id)
    .execute()
  await addBuild(4, { status: 'running', finished: 0 })

  const feed = await read(repoFeed)
  expect(textOf(feed, 'title')).toBe('Builds of acme/web · Flightdeck')
  expect(hrefOf(feed, 'self')).toBe(`http://ci.example.com${repoFeed}`)
  expect(hrefOf(feed, 'alternate')).toBe('http://ci.example.com/acme/web')
  const [newest, oldest, ...others] = all(feed, 'entry')
  expect(others).toEqual([])
  expect(newest && textOf(newest, 'title')).toBe('#3 failed: Break it (fix/rounding)')
  expect(newest && textOf(newest, 'summary')).toBe(
    `default / test: expected 220, got 180\npush, fix/rounding, commit ${first.after.slice(0, 10)}, 3 min 16 s`,
  )
  expect(newest && hrefOf(newest, 'alternate')).toBe('http://ci.example.com/acme/web/3')
  expect(newest && textOf(newest, 'updated')).toBe('1970-01-01T00:20:00Z')
  expect(oldest && textOf(oldest, 'title')).toBe('#2 passed: Add a discount (main)')
  expect(oldest && all(oldest, 'author').map((author) => textOf(author, 'name'))).toEqual(['Ada Lovelace'])
})

it('takes the filters of the list', async () => {
  await addBuild(2, { status: 'failure', author_login: 'zoe' })
  await addBuild(3, { event: 'tag', ref: 'refs/tags/v1', target: 'v1', message: 'Release' })
  await addBuild(4, { event: 'promote', deploy_to: 'production', message: 'Release' })
  await addBuild(5, { ref: 'refs/heads/fix', target: 'fix', message: 'Fix' })
  expect(await titles(`${repoFeed}?status=failure&status=running`)).toEqual(['#2 failed: change (main)'])
  expect(await titles(`${repoFeed}?status=running`)).toEqual([])
  expect(await titles(`${repoFeed}?event=tag`)).toEqual(['#3 passed: Release (v1)'])
  expect(await titles(`${repoFeed}?environment=production`)).toEqual(['#4 passed: Release (production)'])
  expect(await titles(`${repoFeed}?branch=fix&text=FIX`)).toEqual(['#5 passed: Fix (fix)'])
  expect(await titles(`${repoFeed}?author=ZOE&since=1001&until=1004&longer=59&shorter=61`)).toHaveLength(1)
  const filtered = await read(`${repoFeed}?x=1&text=%26%22&branch=fix&access_token=secret`)
  expect(hrefOf(filtered, 'self')).toBe(`http://ci.example.com${repoFeed}?text=%26%22&branch=fix`)
  expect(hrefOf(filtered, 'alternate')).toBe('http://ci.example.com/acme/web?text=%26%22&branch=fix')
  expect(textOf(filtered, 'title')).toBe('Builds of acme/web (text &", branch fix) · Flightdeck')
  expect((await app.answer(`${repoFeed}?status=green`, { as: 'rae' }))[0]).toBe(400)
  expect((await app.answer(`${userFeed}?show=x`, { as: 'rae' }))[0]).toBe(400)
})

it('stays well-formed whatever git and people wrote', async () => {
  const hostile = `</title><script>alert(1)</script>]]>&lt;\u0000\u0001\u001B[31m\uD800 \uFFFE "quoted" ${'🚀'.repeat(200)}`
  await addBuild(2, {
    status: 'error',
    title: hostile,
    message: hostile,
    author_name: hostile,
    error: hostile,
    target: hostile,
    ref: `refs/heads/${hostile}`,
  })
  const [entry] = all(await read(repoFeed), 'entry')
  const title = (entry && textOf(entry, 'title')) ?? ''
  expect(title).toMatch(/^#2 could not run: <\/title><script>alert\(1\)<\/script>]]>&lt;/)
  expect(title.length).toBeLessThan(330)
})

it('contains nothing that changes the direction of the text beside it', async () => {
  const turned = 'a\u202e\u2066b\u2067\u202d'
  await addBuild(2, { status: 'failure', title: turned, author_name: turned, error: turned, target: turned })
  const xml = await (await app.request(repoFeed, { as: 'rae' })).text()
  expect(xml).toContain('a\ufffd\ufffdb\ufffd\ufffd')
  expect(xml).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})

it('has at most 50 entries with ids that stay when names and addresses change', async () => {
  for (let number = 2; number < 60; number += 1) await addBuild(number)
  const ids = (feed: AtomElement) => all(feed, 'entry').map((entry) => textOf(entry, 'id'))
  const before = await read(repoFeed)
  expect(ids(before)).toHaveLength(50)
  const { id } = app.bench.repo
  await app.bench.db
    .updateTable('repos')
    .set({ repo_name: 'shop', repo_slug: 'acme/shop' })
    .where('repo_id', '=', id)
    .execute()
  const after = await read('/api/repos/acme/shop/builds/feed.atom')
  expect(ids(after)).toEqual(ids(before))
  expect(textOf(after, 'id')).toBe(textOf(before, 'id'))
  expect(textOf(await read(userFeed), 'id')).not.toBe(textOf(before, 'id'))
})

it('is not sent again while nothing changed', async () => {
  await addBuild(2)
  const response = await app.request(repoFeed, { as: 'rae' })
  const [etag, modified] = [response.headers.get('etag') ?? '', response.headers.get('last-modified') ?? '']
  expect(modified).toBe('Thu, 01 Jan 1970 00:17:43 GMT')
  const again = async (headers: Record<string, string>) => {
    const { status, headers: received } = await app.request(repoFeed, { as: 'rae', headers })
    return [status, received.get('etag') === etag]
  }
  expect(await again({ 'If-None-Match': etag })).toEqual([304, true])
  expect(await again({ 'If-None-Match': `"x", W/${etag}` })).toEqual([304, true])
  expect(await again({ 'If-Modified-Since': modified })).toEqual([304, true])
  expect(await again({ 'If-None-Match': '"x"', 'If-Modified-Since': modified })).toEqual([200, true])
  await addBuild(3, { finished: app.bench.clock.now - 1 })
  expect(await again({ 'If-None-Match': etag })).toEqual([200, false])
  expect(
    (await app.request(repoFeed, { as: 'rae' })).headers.get('last-modified'),
    'more may come in this second',
  ).toBeNull()
})

it('accepts a user name and a named token, on feeds alone', async () => {
  const { token } = await createToken('rae')
  for (const path of [repoFeed, userFeed]) {
    expect(await statusOf(path, basic('rae', token))).toBe(200)
    expect(await statusOf(path, basic('RAE', token)), 'logins have no case').toBe(200)
    for (const [login, password] of [
      ['ann', token],
      ['', token],
      ['rae', ''],
      ['rae', `${token}x`],
      ['rae', tokenOf('rae')],
      ['rae', 'password of rae'],
    ] as const)
      expect(await statusOf(path, basic(login, password)), `${login}:${password}`).toBe(401)
    expect(await statusOf(path, { Authorization: `Bearer ${token}` })).toBe(200)
    expect(await statusOf(`${path}?access_token=${token}`), 'no token in an address').toBe(401)
  }
  for (const path of ['/api/user', '/api/repos/acme/web', '/api/repos/acme/web/builds', '/api/stream/acme/web'])
    expect(await statusOf(path, basic('rae', token)), path).toBe(401)
  const drop = { method: 'DELETE', headers: basic('rae', token) }
  expect((await app.request('/api/repos/acme/web/builds/branches/feed.atom', drop)).status).toBe(401)
})

it('asks feed readers for a password, but no person that follows a link', async () => {
  const challenge = async (path: string, headers: Record<string, string> = {}) =>
    (await app.request(path, { headers })).headers.get('www-authenticate')
  expect(await challenge(repoFeed)).toBe('Basic realm="Flightdeck", charset="UTF-8"')
  expect(await challenge(userFeed)).toBe('Basic realm="Flightdeck", charset="UTF-8"')
  expect(await challenge(repoFeed, { Accept: 'text/html,application/xhtml+xml' })).toBeNull()
  expect(await challenge('/api/user')).toBeNull()
})

it('ends with the token, the account and the rights of its owner', async () => {
  const { now } = app.bench.clock
  const { db, repo } = app.bench
  const [short, revoked, lasting] = [
    await createToken('rae', now + 60),
    await createToken('rae', now + 99),
    await createToken('rae'),
  ]
  await app.answer(`/api/user/tokens/${revoked.id}`, { as: 'rae', method: 'DELETE' })
  app.bench.clock.now = now + 60
  expect(await statusOf(repoFeed, basic('rae', short.token))).toBe(401)
  expect(await statusOf(repoFeed, basic('rae', revoked.token))).toBe(401)
  const rae = (await findUserByLogin(db, 'rae'))?.id ?? 0
  await deletePermissions(db, rae, repo.id)
  expect(await statusOf(repoFeed, basic('rae', lasting.token))).toBe(404)
  expect(await titles(userFeed)).toEqual([])
  await updateUser(db, rae, { active: false })
  expect(await statusOf(userFeed, basic('rae', lasting.token))).toBe(401)
})

it('of a public repository is readable without signing in, of a private one it is not there', async () => {
  expect([await statusOf(repoFeed), (await app.answer(repoFeed, { as: 'otto' }))[0]]).toEqual([401, 404])
  await app.changeRepo({ visibility: 'public' })
  expect(await statusOf(repoFeed)).toBe(200)
  expect(await statusOf('/api/repos/acme/nothing/builds/feed.atom')).toBe(401)
})

it('of a person has the builds of the repositories that are theirs', async () => {
  const { db } = app.bench
  const [api, hidden] = [await app.addRepo('acme', 'api'), await app.addRepo('acme', 'hidden')]
  const rae = (await findUserByLogin(db, 'rae'))?.id ?? 0
  await setPermissions(db, { userId: rae, repoId: api.id }, { read: true, write: false, admin: false }, 1)
  await addBuild(2, { author_login: 'Rae', status: 'failure' })
  await addBuild(1, { repo_id: api.id, message: 'Other' })
  await addBuild(1, { repo_id: hidden.id, message: 'Hidden', author_login: 'rae' })
  const mine = 'acme/web #2 failed: change (main)'
  expect(await titles(userFeed)).toEqual([mine, 'acme/api #1 passed: Other (main)'])
  expect(await titles(`${userFeed}?show=mine`)).toEqual([mine])
  expect(await titles(`${userFeed}?show=mine&author=ann`)).toEqual([])
  expect(await titles(`${userFeed}?text=ACME/api`)).toEqual(['acme/api #1 passed: Other (main)'])
  expect(await titles(`${userFeed}?show=waiting`)).toEqual([])
  expect(hrefOf(await read(`${userFeed}?show=mine`), 'alternate')).toBe('http://ci.example.com/builds-feed?show=mine')
  expect(await titles(userFeed, 'boss'), 'administrators, too').toEqual([])
})

it('finds a build in a repository that fifty others have newer builds than', async () => {
  const rae = (await findUserByLogin(app.bench.db, 'rae'))?.id ?? 0
  for (let index = 1; index <= 52; index += 1) {
    const { id: repoId } = await app.addRepo('acme', `r${index}`)
    await setPermissions(app.bench.db, { userId: rae, repoId }, { read: true, write: false, admin: false }, 1)
    await addBuild(1, { repo_id: repoId, status: index === 1 ? 'failure' : 'success' })
  }
  expect(await titles(`${userFeed}?status=failure`)).toEqual(['acme/r1 #1 failed: change (main)'])
  expect(await titles(`${userFeed}?status=failure&text=change`)).toHaveLength(1)
  expect(await titles(userFeed)).toHaveLength(50)
})

it('lists the builds that this person can approve', async () => {
  await app.changeRepo({ protected: true })
  const sha = app.bench.commit(pipelines({ default: '', deploy: '' }), 'change of a stranger')
  await app.bench.push(sha, { message: 'change of a stranger' })
  const waiting = '#2 is waiting for approval: change of a stranger (main)'
  expect(await titles(`${userFeed}?show=waiting`, 'wes')).toEqual([`acme/web ${waiting}`])
  expect(await titles(`${userFeed}?show=waiting`, 'rae'), 'who may not').toEqual([])
  for (const stage of [1, 2])
    await app.answer(`/api/repos/acme/web/builds/2/approve/${stage}`, { as: 'wes', method: 'POST' })
  expect(await titles(`${userFeed}?show=waiting`, 'wes')).toEqual([])
})

it('of a namespace with slashes works like any other', async () => {
  const repo = await app.addRepo('group/sub', 'web')
  const rae = (await findUserByLogin(app.bench.db, 'rae'))?.id ?? 0
  await setPermissions(app.bench.db, { userId: rae, repoId: repo.id }, { read: true, write: false, admin: false }, 1)
  await addBuild(1, { repo_id: repo.id })
  const { token } = await createToken('rae')
  const path = '/api/repos/group%2Fsub/web/builds/feed.atom'
  expect(await statusOf(path, basic('rae', token))).toBe(200)
  const feed = await read(path)
  expect(hrefOf(feed, 'self')).toBe(`http://ci.example.com${path}`)
  expect(all(feed, 'entry').map((entry) => hrefOf(entry, 'alternate'))).toEqual([
    'http://ci.example.com/group%2Fsub/web/1',
  ])
})
