import { gunzipSync } from 'node:zlib'
import type { Repo } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pipelines } from '../testing/test-bench.ts'
import { findBuild, purgeBuilds, updateBuild } from '../store/builds.ts'
import { inTransaction } from '../store/open.ts'
import { deletePermissions, setPermissions } from '../store/permissions.ts'
import { deleteRepo, findRepo, updateRepo } from '../store/repos.ts'
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
      const { rows } = await sql<{ id: number }>`insert into repos
        select null, ${name}, repo_user_id, 'many', ${name}, ${`many/${name}`}, repo_scm, repo_git_http_url, repo_git_ssh_url,
          repo_link, repo_default_branch, repo_private, repo_visibility, repo_active, repo_config_path, repo_trusted,
          repo_protected, repo_ignore_forks, repo_ignore_pull_requests, repo_auto_cancel_pull_requests,
          repo_auto_cancel_pushes, repo_auto_cancel_running, repo_timeout, repo_throttle, repo_counter, repo_synced,
          repo_created, repo_updated, repo_version, repo_archived, repo_signer, repo_secret, repo_path, repo_missing, 0,
          repo_public_badge
        from repos where repo_id = ${app.bench.repo.id} returning repo_id as id`.execute(tx)
      ids.push(rows[0]?.id ?? 0)
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

it('is another one after each change that can be seen', async () => {
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

it('is whole and right for everybody who asks while it changes', async () => {
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
