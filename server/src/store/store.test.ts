import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildRow } from '../testing/build-row.ts'
import { stageRow } from '../testing/stage-row.ts'
import { createBuild, findBuild, listBuilds, purgeBuilds, updateBuild, withStages, type NewBuild } from './builds.ts'
import { createCron } from './cron.ts'
import { NewerVersionError, StaleVersionError } from './errors.ts'
import { deleteLatest, listLatest, setLatest } from './latest.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { inTransaction, openStore, type Db, type Store } from './open.ts'
import { transferRepos } from './owners.ts'
import { listCollaborators, setPermissions } from './permissions.ts'
import { listIncompleteBuilds, listRecentBuilds, listReposWithLatest, listUserRepoIds } from './repo-lists.ts'
import { createRepo, findRepo, findRepoBySlug, takeBuildNumber, updateRepo } from './repos.ts'
import { createSecret, createOrgSecret, findOrgSecret, listSealedSecrets, updateSecret } from './secrets.ts'
import { createInvitation, createSession, findSession, takeInvitation } from './sessions.ts'
import { countAll } from './stats.ts'
import { createStage, updateStage, type NewStage } from './stages.ts'
import { createSteps, findStepByNumber, updateStep, updateSteps } from './steps.ts'
import { createUser, findUserByLogin, findUserByTokenHash, updateUser } from './users.ts'

let dir: string
let store: Store
let db: Db
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'flightdeck-store-'))
  store = openStore(join(dir, 'db.sqlite'))
  ;({ db } = store)
})
afterEach(async () => {
  await store.close()
  rmSync(dir, { recursive: true })
})

const newRepo = (name: string) =>
  createRepo(db, {
    uid: name,
    namespace: 'acme',
    name,
    path: `/${name}`,
    default_branch: 'main',
    visibility: 'private',
    now: 5,
  })
const buildOf = (repoId: number, number: number, more: Partial<NewBuild> = {}): NewBuild => {
  const names = { message: 'fix', after: 'abc', ref: 'refs/heads/main', source: 'main', target: 'main' }
  return buildRow({ repo_id: repoId, number, status: 'pending', ...names, created: 5, updated: 5, ...more })
}
const stageOf = (buildId: number, number: number): NewStage =>
  stageRow({ repo_id: 1, build_id: buildId, number, created: 5, updated: 5 })

test('a database of a newer version is refused and stays unchanged', async () => {
  await store.close()
  const path = join(dir, 'db.sqlite')
  const raw = new DatabaseSync(path)
  raw.exec(`pragma user_version = ${migrations.length + 1}`)
  raw.close()
  const before = readFileSync(path)
  expect(() => openStore(path)).toThrow(NewerVersionError)
  expect(() => openStore(path)).toThrow(/created by a newer version/)
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a failing migration leaves the database unchanged @system', () => {
  const raw = new DatabaseSync(':memory:')
  migrate(raw, ['create table a (x)'])
  const failing = ['never run again', 'create table b (x)', 'create table c (x); create table a (x)']
  expect(() => migrate(raw, failing)).toThrow(/already exists/)
  expect(raw.prepare('select name from sqlite_master').all()).toEqual([{ name: 'a' }])
  expect(raw.prepare('pragma user_version').get()).toEqual({ user_version: 1 })
  migrate(raw, ['never run again', 'create table b (x)', 'create table c (x)'])
  expect(raw.prepare('pragma user_version').get()).toEqual({ user_version: 3 })
  raw.close()
})

test('opening again keeps the data', async () => {
  await newRepo('web')
  await store.close()
  store = openStore(join(dir, 'db.sqlite'))
  expect((await findRepoBySlug(store.db, 'acme/web'))?.slug).toBe('acme/web')
})

test('only values of SQLite’s types are accepted', async () => {
  await expect(
    db
      .selectFrom('repos')
      .selectAll()
      .where(sql<boolean>`repo_active = ${true}`)
      .execute(),
  ).rejects.toThrow(/not a value for SQLite: boolean/)
  await expect(sql`select ${new Date()}`.execute(db)).rejects.toThrow(/Date/)
  await expect(sql`select ${undefined}`.execute(db)).rejects.toThrow(/undefined/)
})

test('a failed transaction changes nothing, and other queries wait for its end', async () => {
  const failed = inTransaction(db, async (tx) => {
    await createUser(tx, { login: 'ann', created: 1 })
    throw new Error('no')
  })
  const other = createUser(db, { login: 'ben', created: 1 })
  await expect(failed).rejects.toThrow('no')
  await other
  expect(await findUserByLogin(db, 'ann')).toBeNull()
  expect((await findUserByLogin(db, 'BEN'))?.login).toBe('ben')
})

test('duplicates fail with the error texts that clients know', async () => {
  const repo = await newRepo('web')
  await createUser(db, { login: 'ann', created: 1 })
  await expect(createUser(db, { login: 'ANN', created: 1 })).rejects.toThrow(
    'UNIQUE constraint failed: users.user_login',
  )
  const data = 'sealed'
  await createSecret(db, repo.id, { name: 'a', data })
  await createSecret(db, repo.id, { name: 'A', data })
  await expect(createSecret(db, repo.id, { name: 'a', data })).rejects.toThrow(
    'UNIQUE constraint failed: secrets.secret_repo_id, secrets.secret_name',
  )
  await createOrgSecret(db, 'acme', { name: 'a', data })
  await expect(createOrgSecret(db, 'ACME', { name: 'A', data })).rejects.toThrow(
    'UNIQUE constraint failed: orgsecrets.secret_namespace, orgsecrets.secret_name',
  )
  const cron = { repo_id: repo.id, name: 'n', expr: '@daily', branch: 'main', next: 1 }
  await createCron(db, cron)
  await expect(createCron(db, cron)).rejects.toThrow('UNIQUE constraint failed: cron.cron_repo_id, cron.cron_name')
})

test('an outdated version is refused for repository, build, stage and step', async () => {
  const repo = await newRepo('web')
  expect((await updateRepo(db, { ...repo, timeout: 5 })).version).toBe(2)
  await expect(updateRepo(db, repo)).rejects.toThrow(StaleVersionError)
  const build = await createBuild(db, buildOf(repo.id, 1))
  expect(await updateBuild(db, { ...build, status: 'running' })).toMatchObject({ version: 2, status: 'running' })
  await expect(updateBuild(db, build)).rejects.toThrow('Optimistic Lock Error')
  const stage = await createStage(db, stageOf(build.id, 1))
  expect((await updateStage(db, { ...stage, machine: 'm' })).machine).toBe('m')
  await expect(updateStage(db, stage)).rejects.toThrow(StaleVersionError)
  await createSteps(db, [{ step_id: stage.id, number: 1, name: 'a', status: 'pending', exit_code: 0 }])
  const step = (await findStepByNumber(db, stage.id, 1)) ?? expect.fail('no step')
  await updateStep(db, step)
  await expect(updateStep(db, step)).rejects.toThrow(StaleVersionError)
  await expect(updateSteps(db, [step])).rejects.toThrow(StaleVersionError)
})

test('concurrent calls get different build numbers', async () => {
  const repo = await newRepo('web')
  const numbers = await Promise.all([1, 2, 3].map(() => takeBuildNumber(db, repo.id)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3])
  expect(await findRepo(db, repo.id)).toMatchObject({ counter: 3, version: 4 })
})

test('empty fields are omitted from entities', async () => {
  const repo = await newRepo('web')
  expect(repo).not.toHaveProperty('throttle')
  const build = await createBuild(db, buildOf(repo.id, 1))
  for (const key of ['parent', 'error', 'title', 'params', 'cron', 'deploy_to', 'debug', 'stages'])
    expect(build).not.toHaveProperty(key)
  expect(await withStages(db, build)).not.toHaveProperty('stages')
  const full = await createBuild(db, buildOf(repo.id, 2, { params: { b: '1', a: '2' }, debug: true, parent: 1 }))
  expect(full).toMatchObject({ debug: true, parent: 1 })
  expect(Object.keys(full.params ?? {})).toEqual(['a', 'b'])
  const stage = await createStage(db, { ...stageOf(build.id, 1), depends_on: [], labels: { a: 'b' } })
  expect(stage).not.toHaveProperty('depends_on')
  expect(stage.labels).toEqual({ a: 'b' })
  expect((await withStages(db, build)).stages?.[0]).not.toHaveProperty('steps')
})

test('the lists of a user', async () => {
  const ann = await createUser(db, { login: 'ann', created: 1 })
  const [web, app, hidden] = [await newRepo('web'), await newRepo('app'), await newRepo('hidden')]
  const rights = { read: true, write: false, admin: false }
  for (const repo of [web, app]) await setPermissions(db, { userId: ann.id, repoId: repo.id }, rights, 1)
  await createBuild(db, buildOf(web.id, 1))
  const newest = await createBuild(db, buildOf(web.id, 2))
  await createBuild(db, buildOf(hidden.id, 1))
  const latest = await listReposWithLatest(db, await listUserRepoIds(db, ann.id))
  expect(latest.map((repo) => [repo.slug, repo.build?.number])).toEqual([
    ['acme/app', undefined],
    ['acme/web', 2],
  ])
  expect(latest[0]).not.toHaveProperty('build')
  expect((await listRecentBuilds(db, ann.id)).map((repo) => repo.build.number)).toEqual([2, 1])
  expect((await listRecentBuilds(db, ann.id, 1)).map((repo) => repo.build.number)).toEqual([2])
  expect(await listIncompleteBuilds(db)).toEqual([])
  await createStage(db, stageOf(newest.id, 1))
  expect((await listIncompleteBuilds(db)).map((repo) => repo.build.id)).toEqual([newest.id])
  expect(await listCollaborators(db, web.id)).toMatchObject([
    { login: 'ann', repo_id: 'web', read: true, write: false },
  ])
})

test('lists builds page by page, and by ref', async () => {
  const repo = await newRepo('web')
  for (let number = 1; number <= 7; number++)
    await createBuild(db, buildOf(repo.id, number, { ref: number % 2 ? 'refs/heads/main' : 'refs/tags/v1' }))
  const numbers = async (page: { page: number; perPage: number; ref?: string }) =>
    (await listBuilds(db, repo.id, page)).map((build) => build.number)
  expect(await numbers({ page: 1, perPage: 3 })).toEqual([7, 6, 5])
  expect(await numbers({ page: 3, perPage: 3 })).toEqual([1])
  expect(await numbers({ page: 4, perPage: 3 })).toEqual([])
  expect(await numbers({ page: 1, perPage: 2, ref: 'refs/tags/v1' })).toEqual([6, 4])
})

test('late pages are correct with gaps and after a removal, and all builds are counted @system', async () => {
  const [repo, other] = [await newRepo('web'), await newRepo('other')]
  // Some thousands are full, some have gaps, some are empty.
  const has = (number: number) =>
    number < 1000 || (number < 2500 && number % 3 === 0) || (number > 5100 && number < 7300)
  let all = Array.from({ length: 8000 }, (_, index) => index + 1).filter(has)
  await inTransaction(db, async (tx) => {
    for (const number of all) await createBuild(tx, buildOf(repo.id, number))
    await createBuild(tx, buildOf(other.id, 3000))
  })
  const newest = () => all.toReversed()
  const same = async () => {
    for (const perPage of [7, 25, 100])
      for (
        let page = Math.ceil(1900 / perPage);
        page <= newest().length / perPage + 2;
        page += Math.ceil(150 / perPage)
      ) {
        const found = await listBuilds(db, repo.id, { page, perPage })
        expect([page, ...found.map(({ number }) => number)]).toEqual([
          page,
          ...newest().slice((page - 1) * perPage, page * perPage),
        ])
      }
    expect((await countAll(db)).builds.total).toBe(all.length + 1)
  }
  await same()
  await purgeBuilds(db, repo.id, 1200)
  all = all.filter((number) => number >= 1200)
  await same()
})

test('the index of latest builds @system', async () => {
  const repo = await newRepo('web')
  const add = async (number: number, more: Partial<NewBuild>) => {
    const build = await createBuild(db, buildOf(repo.id, number, more))
    await setLatest(db, build)
  }
  await add(1, { target: 'main' })
  await add(2, { target: 'main' })
  await add(3, { target: 'a/b' })
  await add(4, { event: 'pull_request', ref: 'refs/pull/12/head' })
  await add(5, { event: 'promote', deploy_to: 'prod' })
  await add(6, { event: 'cron' })
  const numbers = async (kind: 'branch' | 'pull' | 'deployment') =>
    (await listLatest(db, repo.id, kind)).map((build) => build.number)
  expect(await numbers('branch')).toEqual([3, 2])
  expect(await numbers('pull')).toEqual([4])
  expect(await numbers('deployment')).toEqual([5])
  await deleteLatest(db, repo.id, 'pull', '12')
  expect(await numbers('pull')).toEqual([])
  await purgeBuilds(db, repo.id, 3)
  expect(await numbers('branch')).toEqual([3])
  expect(await findBuild(db, 1)).toBeNull()
})

test('the index of latest builds lists more branches than one batch @system', async () => {
  const [repo, other] = [await newRepo('web'), await newRepo('other')]
  const numbers = Array.from({ length: 850 }, (_, index) => index + 1)
  await inTransaction(db, async (tx) => {
    for (const number of numbers) {
      for (const { id } of [repo, other])
        await setLatest(tx, await createBuild(tx, buildOf(id, number, { target: `branch-${number}` })))
    }
  })
  expect((await listLatest(db, repo.id, 'branch')).map((build) => build.number)).toEqual(numbers.toReversed())
})

test('sessions and invitations expire', async () => {
  const ann = await createUser(db, { login: 'ann', created: 1, token: { hash: 't', encrypted: 'sealed' } })
  expect((await findUserByTokenHash(db, 't'))?.id).toBe(ann.id)
  await createSession(db, { hash: 'h', user_id: ann.id, created: 1, expires: 10 })
  expect((await findSession(db, 'h', 9))?.user.login).toBe('ann')
  expect(await findSession(db, 'h', 10)).toBeNull()
  await createInvitation(db, { hash: 'i', user_id: ann.id, expires: 10 })
  expect(await takeInvitation(db, 'i', 5)).toBe(true)
  expect(await takeInvitation(db, 'i', 5)).toBe(false)
})

test('the repositories of a leaving owner are transferred to another administrator', async () => {
  const [ann, ben] = [
    await createUser(db, { login: 'ann', created: 1 }),
    await createUser(db, { login: 'ben', created: 1 }),
  ]
  const [web, app] = [await newRepo('web'), await newRepo('app')]
  for (const repo of [web, app]) await updateRepo(db, { ...repo, user_id: ann.id })
  await setPermissions(db, { userId: ben.id, repoId: web.id }, { read: true, write: true, admin: true }, 1)
  await transferRepos(db, ann.id)
  expect((await findRepo(db, web.id))?.user_id).toBe(ben.id)
  expect((await findRepo(db, app.id))?.user_id).toBe(0)
  expect(await updateUser(db, ann.id, { active: false })).toMatchObject({ active: false })
})

test('lists secrets for a build; names of organization secrets ignore case', async () => {
  const repo = await newRepo('web')
  const secret = await createSecret(db, repo.id, { name: 'token', data: 'x', pull_request: true })
  expect(secret).toEqual({ id: 1, repo_id: repo.id, name: 'token', pull_request: true })
  expect(await updateSecret(db, secret, { pull_request: false })).not.toHaveProperty('pull_request')
  await createOrgSecret(db, 'Acme', { name: 'Shared', data: 'y' })
  expect((await findOrgSecret(db, 'acme', 'shared'))?.name).toBe('Shared')
  const values = await listSealedSecrets(db, repo)
  expect(values.map((value) => [value.name, value.data])).toEqual([
    ['token', 'x'],
    ['Shared', 'y'],
  ])
})
