import { gunzipSync } from 'node:zlib'
import type { Repo, TopOfRepos } from '@flightdeck/api'
import { areRepoColumns, unpackRepos } from '@flightdeck/api/repo-columns'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pipelines } from '../testing/test-bench.ts'
import { findBuild, purgeBuilds, updateBuild } from '../store/builds.ts'
import { inTransaction } from '../store/open.ts'
import { deletePermissions, setPermissions } from '../store/permissions.ts'
import { createRepo, deleteRepo, findRepo, updateRepo } from '../store/repos.ts'
import { createRepoLists } from './repo-list.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterEach(async () => {
  await app.close()
  expect(app.failures).toEqual([])
})

const path = '/api/user/repos?latest=true'
const ask = (as: Person, etag?: string) =>
  app.request(path, { as, headers: { 'Accept-Encoding': 'gzip, br', ...(etag && { 'If-None-Match': etag }) } })
const etagOf = (response: Response): string => response.headers.get('etag') ?? ''
async function read(as: Person): Promise<{ etag: string; repos: Repo[] }> {
  const response = await ask(as)
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  const text = gunzipSync(new Uint8Array(await response.arrayBuffer())).toString()
  expect(text.endsWith(']\n')).toBe(true)
  return { etag: etagOf(response), repos: JSON.parse(text) as Repo[] }
}
/** Enough for several parts. */
async function addMany(count: number): Promise<number[]> {
  const ids: number[] = []
  await inTransaction(app.bench.db, async (tx) => {
    for (let n = 0; n < count; n++) {
      const name = `repo-${String(n).padStart(4, '0')}`
      const facts = { uid: name, namespace: 'many', name, path: `/many/${name}`, default_branch: 'main', now: 1 }
      const repo = await createRepo(tx, { ...facts, visibility: 'private' })
      await updateRepo(tx, { ...repo, active: true })
      ids.push(repo.id)
    }
    for (const repoId of ids) {
      await setPermissions(tx, { userId: app.bench.user.id, repoId }, { read: true, write: false, admin: false }, 1)
    }
  })
  return ids
}

it('is the same with and without compression, for thousands and for none', async () => {
  await addMany(600)
  const packed = await read('ann')
  expect(packed.repos.map(({ slug }) => slug)).toEqual(packed.repos.map(({ slug }) => slug).toSorted())
  expect(packed.repos).toHaveLength(601)
  expect((await app.answer(path, { as: 'ann' }))[1]).toEqual(packed.repos)
  expect((await read('otto')).repos).toEqual([])
})

it('is not sent again while it is the same', async () => {
  const { etag } = await read('ann')
  const again = await ask('ann', etag)
  expect([again.status, await again.text(), etagOf(again)]).toEqual([304, '', etag])
  expect(again.headers.get('cache-control')).toBe('private, no-cache')
  expect((await ask('ann', `"other", ${etag}`)).status).toBe(304)
  expect((await ask('wes', etag)).status).toBe(200)
})

it('is another one after each change that can be seen @system', async () => {
  const { db, repo, user } = app.bench
  const [first = 0, second = 0] = await addMany(300)
  const build = await app.bench.startBuild()
  const steps: [string, () => Promise<unknown>, (repos: Repo[]) => unknown, unknown][] = [
    ['a build', async () => app.bench.startBuild(), (repos) => repos[0]?.build?.number, 2],
    [
      'a build that goes on',
      async () => updateBuild(db, { ...(await findBuild(db, (build?.id ?? 0) + 1))!, status: 'killed' }),
      (repos) => repos[0]?.build?.status,
      'killed',
    ],
    [
      'a setting',
      async () => updateRepo(db, { ...(await findRepo(db, first))!, timeout: 7 }),
      (repos) => repos[1]?.timeout,
      7,
    ],
    [
      'a name',
      async () => updateRepo(db, { ...(await findRepo(db, second))!, slug: 'aaa/first' }),
      (repos) => repos[0]?.slug,
      'aaa/first',
    ],
    ['a right that goes', () => deletePermissions(db, user.id, second), (repos) => repos.length, 300],
    ['a repository that goes', () => deleteRepo(db, first), (repos) => repos.length, 299],
    ['builds that go', () => purgeBuilds(db, repo.id, 99), (repos) => repos[0]?.build, undefined],
  ]
  for (const [what, change, look, expected] of steps) {
    const before = await read('ann')
    await change()
    expect((await ask('ann', before.etag)).status, what).toBe(200)
    expect(look((await read('ann')).repos), what).toEqual(expected)
  }
})

it('stays the same where nothing can be seen', async () => {
  const { db } = app.bench
  const old = await app.bench.startBuild()
  await app.bench.startBuild()
  const { etag } = await read('ann')
  await updateBuild(db, { ...(await findBuild(db, old?.id ?? 0))!, status: 'killed' })
  const failed = inTransaction(db, async (tx) => {
    await updateRepo(tx, { ...app.bench.repo, ...(await findRepo(tx, app.bench.repo.id)), timeout: 9 })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect((await ask('ann', etag)).status).toBe(304)
})

it('is complete and correct for all requests while it changes @system', async () => {
  const ids = await addMany(400)
  const asked = ids.slice(0, 40).map(async (id, n) => {
    await updateRepo(app.bench.db, { ...(await findRepo(app.bench.db, id))!, timeout: 1000 + n })
    const { repos } = await read(n % 2 ? 'ann' : 'wes')
    return { n, count: repos.length, timeout: repos.find((repo) => repo.id === id)?.timeout }
  })
  for (const { n, count, timeout } of await Promise.all(asked)) {
    expect([count, timeout]).toEqual(n % 2 ? [401, 1000 + n] : [1, undefined])
  }
})

describe('in parts, for a page of ours', () => {
  const topType = 'application/vnd.flightdeck.top+json'
  const askTop = (as: Person, etag?: string) =>
    app.request(path, {
      as,
      headers: { Accept: `application/json, ${topType}`, ...(etag && { 'If-None-Match': etag }) },
    })
  const askPart = (as: Person, { list, part }: { list: string; part: number }, etag?: string) =>
    app.request(`/api/user/repos/parts/${part}?list=${list}`, {
      as,
      headers: { 'Accept-Encoding': 'gzip', ...(etag && { 'If-None-Match': etag }) },
    })
  const readTop = async (as: Person) => (await (await askTop(as)).json()) as TopOfRepos
  async function readParts(as: Person, { list, parts }: TopOfRepos): Promise<Repo[]> {
    const repos: Repo[] = []
    for (let part = 0; part < parts; part++) {
      const response = await askPart(as, { list, part })
      const chapters = JSON.parse(gunzipSync(new Uint8Array(await response.arrayBuffer())).toString()) as unknown[]
      for (const chapter of chapters) {
        expect(areRepoColumns(chapter)).toBe(true)
        if (areRepoColumns(chapter)) repos.push(...unpackRepos(chapter))
      }
    }
    return repos
  }
  /** What a list shows of a repository. */
  const shown = ({ id, slug, active, version, build }: Repo) => ({
    repo: [id, slug, active, version],
    ...(build && {
      build: [build.id, build.number, build.status, build.event, build.target, build.after.slice(0, 8), build.sender],
      times: [build.created, build.started, build.finished, build.version],
      words: [build.title ?? build.message.split('\n')[0], build.error, build.author_login, build.author_avatar],
      why: [build.waiting, build.ended, build.actor, build.parent, build.canceled_by],
    }),
  })

  it('has exactly the entries of the full list, after each change @system', async () => {
    const ids = await addMany(2100)
    const check = async (what: string) => {
      const { repos } = await read('ann')
      const top = await readTop('ann')
      const parts = await readParts('ann', top)
      expect(parts.map(shown), what).toEqual(repos.map(shown))
      expect([top.total, top.active, top.parts], what).toEqual([
        repos.length,
        repos.filter(({ active }) => active).length,
        2,
      ])
      const byId = new Map(repos.map((repo) => [repo.id, repo]))
      expect(top.repos, what).toEqual(top.repos.map(({ id }) => byId.get(id)))
    }
    await check('at first')
    await app.bench.startBuild()
    await check('a build that waits')
    const build = await findBuild(app.bench.db, 1)
    await updateBuild(app.bench.db, { ...build!, status: 'failure', started: 5, finished: 9, error: 'It broke' })
    await check('a build that failed')
    await updateRepo(app.bench.db, { ...(await findRepo(app.bench.db, ids[2050] ?? 0))!, active: false })
    await check('one that is put to sleep')
    await deletePermissions(app.bench.db, app.bench.user.id, ids[7] ?? 0)
    await check('a right that goes')
  })

  it('begins with what a dashboard shows first: 50 rows, and the newest of those that are not active @system', async () => {
    const ids = await addMany(400)
    const { db } = app.bench
    for (const id of ids.slice(0, 20)) await updateRepo(db, { ...(await findRepo(db, id))!, active: false })
    await app.bench.startBuild()
    const { repos } = await read('ann')
    const order = (list: readonly Repo[]) =>
      list.toSorted(
        (a, b) =>
          Number(b.active) - Number(a.active) ||
          (b.build?.created ?? 0) - (a.build?.created ?? 0) ||
          (a.slug < b.slug ? -1 : 1),
      )
    const sorted = order(repos)
    const expected = [...sorted.slice(0, 50), ...sorted.filter(({ active }) => !active).slice(0, 6)]
    expect(order((await readTop('ann')).repos).map(({ slug }) => slug)).toEqual(expected.map(({ slug }) => slug))
  })

  it('is the full list for all others, and if it is short @system', async () => {
    await addMany(400)
    expect(Array.isArray(await (await app.request(path, { as: 'ann' })).json())).toBe(true)
    expect(await (await askTop('wes')).json()).toHaveLength(1)
    expect((await askTop('ann')).headers.get('vary')).toContain('Accept,')
    expect(
      (await app.request('/api/user/repos', { as: 'ann', headers: { Accept: topType } })).headers.get('etag'),
    ).toBe(null)
  })

  it('is not sent again while it is the same: a change costs the top and one part @system', async () => {
    const ids = await addMany(2100)
    const first = await askTop('ann')
    const { list } = (await first.json()) as TopOfRepos
    const etags = [etagOf(await askPart('ann', { list, part: 0 })), etagOf(await askPart('ann', { list, part: 1 }))]
    const statuses = async () => [
      (await askTop('ann', etagOf(first))).status,
      (await askPart('ann', { list, part: 0 }, etags[0])).status,
      (await askPart('ann', { list, part: 1 }, etags[1])).status,
    ]
    expect(await statuses()).toEqual([304, 304, 304])
    await updateRepo(app.bench.db, { ...(await findRepo(app.bench.db, ids[2080] ?? 0))!, active: false })
    expect(await statuses()).toEqual([200, 304, 200])
  })

  it('refuses parts of a list that has changed since', async () => {
    const [first = 0] = await addMany(300)
    const { list } = await readTop('ann')
    await deletePermissions(app.bench.db, app.bench.user.id, first)
    expect((await askPart('ann', { list, part: 0 })).status).toBe(404)
    const { list: now } = await readTop('ann')
    expect((await askPart('ann', { list: now, part: 0 })).status).toBe(200)
    expect((await askPart('ann', { list: now, part: 1 })).status).toBe(404)
    for (const part of ['x', '-1', '0.5', '1e9']) {
      const answer = await app.request(`/api/user/repos/parts/${part}?list=${now}`, { as: 'ann' })
      expect(answer.status, part).toBe(404)
    }
    // Knowing the name of another user's list gives no access to it.
    expect((await askPart('wes', { list: now, part: 0 })).status).toBe(404)
    expect((await app.request(`/api/user/repos/parts/0?list=${now}`)).status).toBe(401)
  })
})

describe('a right that is taken while a list is made', () => {
  /** `meanwhile` runs while the first list is read, and the list changes after it. */
  const begin = (meanwhile: () => Promise<unknown>) => {
    let done = false
    return createRepoLists(app.bench.db, async (repos) => {
      if (done) return repos
      done = true
      await meanwhile()
      return repos
    })
  }
  const take = async () => {
    await deletePermissions(app.bench.db, app.bench.user.id, app.bench.repo.id)
  }
  const textOf = ({ gzip }: { gzip: Buffer }) => gunzipSync(gzip).toString()

  it('is not in it', async () => {
    const lists = begin(take)
    const body = await lists.body(app.bench.user.id)
    expect(textOf(body)).toBe('[]\n')
    expect(await lists.etag(app.bench.user.id)).toBe(body.etag)
  })

  it('is not in its first part', async () => {
    const top = JSON.parse(textOf(await begin(take).top(app.bench.user.id))) as TopOfRepos
    expect(top).toMatchObject({ total: 0, repos: [] })
  })

  it('is not in a later part, which belongs to another list then', async () => {
    const lists = begin(take)
    const known = createRepoLists(app.bench.db)
    const key = (JSON.parse(textOf(await known.top(app.bench.user.id))) as TopOfRepos).list
    expect(await lists.part(app.bench.user.id, key, 0)).toBeUndefined()
  })
})
