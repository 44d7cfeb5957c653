import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Repo } from '@flightdeck/api'
import { createBuild } from '../../store/builds.ts'
import { listLatest, setLatest } from '../../store/latest.ts'
import { openStore, type Store } from '../../store/open.ts'
import { createRepo, updateRepo } from '../../store/repos.ts'
import { listRefs } from '../../store/refs.ts'
import { createGit, type Git } from '../git/git.ts'
import { buildRow } from '../../testing/build-row.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { recordRefs } from './record-refs.ts'
import { watchRefs, type RefWatcher } from './ref-watcher.ts'
import type { Hook } from '../../interfaces/hook.ts'

let folder: string
let git: Git
let store: Store
let hooks: Hook[]
let messages: string[]
let watcher: RefWatcher | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-refs-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  store = openStore(':memory:')
  hooks = []
  messages = []
})
afterEach(async () => {
  await watcher?.stop()
  watcher = undefined
  await store.close()
  rmSync(folder, { recursive: true })
})

const now = () => 1_700_000_000
function watch(onHook = async (_: Repo, hook: Hook) => void hooks.push(hook)) {
  watcher = watchRefs({ db: store.db, git, now, roundMs: 60, onHook, log: (message) => messages.push(message) })
  return watcher
}
async function activeRow(path: string): Promise<Repo> {
  const names = { uid: 'acme/web', namespace: 'acme', name: 'web' }
  const link = 'http://ci.example.com/link/acme/web'
  const facts = { ...names, path, link, default_branch: 'main', visibility: 'private' } as const
  const row = await createRepo(store.db, { ...facts, now: now() })
  await recordRefs(store.db, row.id, path, now())
  return updateRepo(store.db, { ...row, active: true })
}
const seen = async (repo: Repo) => Object.fromEntries(await listRefs(store.db, repo.id))
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

test('existing refs start no builds at activation; a new commit, branch and tags do', async () => {
  const origin = testRepository(join(folder, 'web'))
  const first = origin.commit({ a: '1' }, 'First')
  await activeRow(origin.path)
  watch()

  const second = origin.commit({ a: '2' }, 'Second\n\nbody')
  await until(() => expect(hooks).toHaveLength(1))
  expect(hooks[0]).toEqual({
    event: 'push',
    trigger: '@hook',
    sender: 'Ada',
    ref: 'refs/heads/main',
    source: 'main',
    target: 'main',
    before: first,
    after: second,
    message: 'Second\n\nbody',
    link: `http://ci.example.com/link/acme/web/commit/${second}`,
    author: { login: 'Ada', name: 'Ada', email: 'ada@example.com', avatar: '' },
  })

  origin.git('branch', 'feature/x', first)
  await until(() => expect(hooks).toHaveLength(2))
  expect(hooks[1]).toMatchObject({ ref: 'refs/heads/feature/x', source: 'feature/x', before: '', after: first })

  origin.git('tag', 'v1')
  await until(() => expect(hooks).toHaveLength(3))
  origin.git('tag', '-a', 'v2', '-m', 'annotated')
  await until(() => expect(hooks).toHaveLength(4))
  for (const [index, name] of ['v1', 'v2'].entries()) {
    expect(hooks[index + 2]).toMatchObject({ event: 'tag', action: 'create', ref: `refs/tags/${name}`, after: second })
  }
  expect(messages).toEqual([])
})

test('a push into a bare repository and a pull request head @system', async () => {
  const work = testRepository(join(folder, 'work'))
  const base = work.commit({ a: '1' }, 'First')
  const bare = join(folder, 'web.git')
  execFileSync('git', ['clone', '-q', '--bare', work.path, bare])
  await activeRow(bare)
  watch()
  const head = work.commit({ a: '2' }, 'Second')
  work.git('push', '-q', bare, 'HEAD:refs/pull/7/head')
  await until(() => expect(hooks).toHaveLength(1))
  expect(hooks[0]).toMatchObject({ event: 'pull_request', action: 'opened', ref: 'refs/pull/7/head' })
  expect(hooks[0]).toMatchObject({ target: 'main', before: base, after: head })
  work.git('push', '-q', bare, 'main')
  await until(() => expect(hooks).toHaveLength(2))
  expect(hooks[1]).toMatchObject({ event: 'push', before: base, after: head })
})

test('packing the refs starts no build; a later commit does', async () => {
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  await activeRow(origin.path)
  watch()
  origin.git('pack-refs', '--all')
  const second = origin.commit({ a: '2' }, 'Second')
  await until(() => expect(hooks.map(({ after }) => after)).toEqual([second]))
})

test('after a downtime, only the newest commit of each moved branch is built @system', async () => {
  const origin = testRepository(join(folder, 'web'))
  const first = origin.commit({ a: '1' }, 'First')
  origin.git('branch', 'still')
  const repo = await activeRow(origin.path)
  watch()
  await watcher?.stop()

  origin.commit({ a: '2' }, 'Second')
  const third = origin.commit({ a: '3' }, 'Third')
  watch()
  await until(() => expect(hooks).toHaveLength(1))
  expect(hooks[0]).toMatchObject({ before: first, after: third, message: 'Third' })
  await until(async () => expect((await seen(repo))['refs/heads/main']).toBe(third))
})

test('a deleted branch is discarded, and starts a build when it is created again', async () => {
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  origin.git('branch', 'topic')
  const repo = await activeRow(origin.path)
  watch()
  origin.git('branch', '-D', 'topic')
  await until(async () => expect(await seen(repo)).not.toHaveProperty('refs/heads/topic'))
  expect(hooks).toEqual([])
  origin.git('branch', 'topic')
  await until(() => expect(hooks).toHaveLength(1))
})

test('the first commit of an empty repository starts a build @system', async () => {
  const origin = testRepository(join(folder, 'web'))
  const repo = await activeRow(origin.path)
  watch()
  await until(async () => expect(await seen(repo)).toHaveProperty('HEAD'))
  const first = origin.commit({ a: '1' }, 'First')
  await until(() => expect(hooks.map(({ after }) => after)).toEqual([first]))
})

test('a trigger that fails is logged once and not retried @system', async () => {
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  const repo = await activeRow(origin.path)
  watch(() => Promise.reject(new Error('no file')))
  const second = origin.commit({ a: '2' }, 'Second')
  await until(async () => expect((await seen(repo))['refs/heads/main']).toBe(second))
  expect(messages).toEqual([`acme/web: no build for refs/heads/main at ${second}: no file`])
})

test('the latest builds of removed branches and pull requests are no longer listed', async () => {
  const origin = testRepository(join(folder, 'web'))
  const sha = origin.commit({ a: '1' }, 'First')
  origin.git('branch', 'topic')
  origin.git('update-ref', 'refs/pull/7/head', sha)
  const repo = await activeRow(origin.path)
  const facts = { repo_id: repo.id, after: sha, source: 'topic' }
  const builds = [
    { ...facts, number: 1, event: 'push', ref: 'refs/heads/topic', target: 'topic' },
    { ...facts, number: 2, event: 'pull_request', ref: 'refs/pull/7/head', target: 'main' },
  ] as const
  for (const build of builds) await setLatest(store.db, await createBuild(store.db, buildRow(build)))
  const listed = async () => [
    (await listLatest(store.db, repo.id, 'branch')).length,
    (await listLatest(store.db, repo.id, 'pull')).length,
  ]
  expect(await listed()).toEqual([1, 1])
  watch()
  origin.git('branch', '-D', 'topic')
  origin.git('update-ref', '-d', 'refs/pull/7/head')
  await until(async () => expect(await listed()).toEqual([0, 0]))
})
