import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCron } from '../store/cron.ts'
import { createUser, updateUser } from '../store/users.ts'
import { createRepo, findRepo } from '../store/repos.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())
const plain = pipelines({ default: '' })

test('commits with [ci skip] are skipped and take no number', async () => {
  const sha = bench.commit(plain, 'docs [CI SKIP]')
  expect(await bench.push(sha, { message: 'docs [CI SKIP]' })).toBeNull()
  // Also when the hook leaves the message to be read from the commit.
  expect(await bench.push(sha, { message: '' })).toBeNull()
  expect((await findRepo(bench.db, bench.repo.id))?.counter).toBe(0)
  expect(await bench.startBuild()).toMatchObject({ number: 1, event: 'custom' })
})

test('long names and messages of a commit are cut @system', async () => {
  bench.commit(plain)
  bench.source.git(
    'commit',
    '-q',
    '--allow-empty',
    `--author=${'A'.repeat(100_000)} <${'a'.repeat(300)}>`,
    '-m',
    'm'.repeat(9_000),
  )
  const build = await bench.startBuild()
  expect(build?.author_name).toBe('A'.repeat(250))
  expect(build?.author_email).toBe('a'.repeat(250))
  expect(build?.message).toBe('m'.repeat(2_000))
})

test('nothing to do is no build', async () => {
  const sha = bench.commit(pipelines({ default: 'trigger: {branch: [release]}' }))
  expect(await bench.push(sha)).toBeNull()
  await updateUser(bench.db, bench.user.id, { active: false })
  expect(await bench.push(bench.commit(plain))).toBeNull()
})

test('an invalid file makes an error build with the reason @system', async () => {
  const missing = bench.source.commit({ 'README.md': 'x' }, 'no file')
  expect(await bench.push(missing)).toMatchObject({
    number: 1,
    status: 'error',
    trigger: '',
    error: `configuration: .drone.yml not found at ${missing}`,
    started: bench.clock.now,
    finished: bench.clock.now,
  })
  expect(bench.events.at(-1)?.build.status).toBe('error')
  expect((await bench.push(bench.commit('')))?.error).toMatch(/^configuration: \.drone\.yml is empty/)
  expect((await bench.push(bench.commit('kind: pipeline\nsteps: [')))?.error).toMatch(/^yaml: .*line 2/)
  expect((await bench.push(bench.commit(pipelines({ a: 'depends_on: [x]' }))))?.error).toMatch(
    /unknown pipeline depend/,
  )
  const again = await bench.ci.restart(bench.repo, 3, { debug: false, params: {} }, bench.user)
  expect(again).toMatchObject({ number: 5, status: 'error', parent: 3, trigger: '' })
  expect(await bench.isIdle()).toBe(true)
})

test('a build by hand @system', async () => {
  const first = bench.commit(plain, 'first')
  bench.source.git('branch', 'feature/x')
  bench.commit(plain, 'second')
  const params = { A: '1' }
  expect(await bench.ci.start(bench.repo, { branch: 'feature/x', action: 'act', params }, bench.user)).toMatchObject({
    event: 'custom',
    action: 'act',
    trigger: 'ann',
    sender: 'ann',
    ref: 'refs/heads/feature/x',
    source: 'feature/x',
    target: 'feature/x',
    before: first,
    after: first,
    message: 'first',
    author_name: 'Ada',
    link: `http://localhost/link/acme/web/commit/${first}`,
    params,
  })
  expect(await bench.startBuild()).toMatchObject({ target: 'main', message: 'second' })
  expect(await bench.ci.start(bench.repo, { commit: first.slice(0, 8), params: {} }, bench.user)).toMatchObject({
    after: first,
    target: 'main',
  })
  for (const input of [{ branch: 'nope' }, { commit: 'abcdef1' }]) {
    await expect(bench.ci.start(bench.repo, { ...input, params: {} }, bench.user)).rejects.toMatchObject({
      status: 404,
      message: 'Not Found',
    })
  }
  const orphan = await createRepo(bench.db, {
    uid: '2',
    namespace: 'acme',
    name: 'orphan',
    path: bench.source.path,
    default_branch: 'main',
    visibility: 'private',
    now: 1,
  })
  await expect(bench.ci.start(orphan, { params: {} }, bench.user)).rejects.toMatchObject({
    status: 404,
    message: 'sql: no rows in result set',
  })
})

test('restart: the old parameters win, and git is not needed @system', async () => {
  const sha = bench.commit(plain)
  await bench.ci.start(bench.repo, { params: { A: 'old' } }, bench.user)
  await bench.endStage(await bench.take(), 'failure')
  const ben = await createUser(bench.db, { login: 'ben', created: 1 })
  bench.source.git('update-ref', '-d', 'refs/heads/main')
  const build = await bench.ci.restart(bench.repo, 1, { debug: true, params: { A: 'new', B: 'new' } }, ben)
  expect(build).toMatchObject({
    number: 2,
    parent: 1,
    trigger: 'ben',
    sender: 'ann',
    event: 'custom',
    after: sha,
    debug: true,
    params: { A: 'old', B: 'new' },
  })
  await bench.endStage(await bench.take())
  expect((await bench.build(2)).status).toBe('success')
})

test('promote and roll back: the new parameters win, and pipelines may use the target @system', async () => {
  bench.commit(pipelines({ default: '', live: 'trigger: {target: [prod], event: [promote, rollback]}' }))
  await bench.ci.start(bench.repo, { params: { A: 'old' } }, bench.user)
  const input = { event: 'promote' as const, target: 'prod', params: { A: 'new' } }
  expect(await bench.ci.deploy(bench.repo, 1, input, bench.user)).toMatchObject({
    event: 'promote',
    deploy_to: 'prod',
    parent: 1,
    params: { A: 'new' },
    trigger: 'ann',
  })
  expect(Object.keys(await bench.statuses(2))).toEqual(['', 'default', 'live'])
  await expect(bench.ci.deploy(bench.repo, 1, { ...input, target: '' }, bench.user)).rejects.toMatchObject({
    status: 400,
    message: 'Missing target environment',
  })
  await expect(bench.ci.deploy(bench.repo, 9, input, bench.user)).rejects.toMatchObject({ status: 404 })
})

test('a cron job by hand @system', async () => {
  const sha = bench.commit(plain)
  const job = { repo_id: bench.repo.id, expr: '@daily', next: 1 }
  await createCron(bench.db, { ...job, name: 'nightly', branch: 'main' })
  await createCron(bench.db, { ...job, name: 'lost', branch: 'gone' })
  expect(await bench.ci.runCron(bench.repo, 'nightly', bench.user)).toMatchObject({
    event: 'cron',
    cron: 'nightly',
    trigger: '@cron',
    ref: 'refs/heads/main',
    source: '',
    target: 'main',
    before: '',
    after: sha,
  })
  await expect(bench.ci.runCron(bench.repo, 'lost', bench.user)).rejects.toMatchObject({ message: 'Not Found' })
  await expect(bench.ci.runCron(bench.repo, 'x', bench.user)).rejects.toMatchObject({
    message: 'sql: no rows in result set',
  })
})

test('switching on fills in what is empty and keeps what was set', async () => {
  expect(bench.repo).toMatchObject({ active: true, user_id: bench.user.id, config_path: '.drone.yml', timeout: 60 })
  const off = await bench.ci.disable(bench.repo)
  expect(off).toMatchObject({ active: false, user_id: bench.user.id })
  const on = await bench.ci.enable(off, bench.user)
  expect(on).toMatchObject({ active: true, version: off.version + 1 })
})

test('a pipeline file that is a symbolic link is refused with that reason', async () => {
  bench.source.commit({ 'ci/pipeline.yml': plain }, 'file')
  symlinkSync('ci/pipeline.yml', join(bench.source.path, '.drone.yml'))
  const sha = bench.source.commit({}, 'link')
  expect(await bench.push(sha)).toMatchObject({
    status: 'error',
    error: `configuration: .drone.yml is a symbolic link at ${sha}; put the file itself there`,
  })
})

test.each([
  ['a folder', { '.drone.yml/part': 'x' }, 'is a folder'],
  ['in Git LFS', { '.drone.yml': 'version https://git-lfs.github.com/spec/v1\nsize 1\n' }, 'is stored in Git LFS'],
  ['in UTF-16', { '.drone.yml': [...plain].join('\0') }, 'is not UTF-8 text'],
])('a pipeline file that is %s is refused with that reason', async (_name, files, reason) => {
  const sha = bench.source.commit(files, 'file')
  expect(await bench.push(sha)).toMatchObject({
    status: 'error',
    error: `configuration: .drone.yml ${reason} at ${sha}; put the file itself there`,
  })
})

test('a pipeline file that is a submodule is refused with that reason', async () => {
  bench.source.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},.drone.yml`)
  bench.source.git('commit', '-q', '-m', 'submodule')
  const sha = bench.source.git('rev-parse', 'HEAD')
  expect(await bench.push(sha)).toMatchObject({ status: 'error', error: expect.stringContaining('is a submodule at') })
})
