import { afterEach, beforeEach, expect, test } from 'vitest'
import { findRepo, findRepoInternals, updateRepo } from '../store/repos.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const change = async (changes: object) => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, ...changes })
}
const two = pipelines({ a: '', b: 'depends_on: [a]' })

test('a protected repository waits for approval, stage by stage', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(two))
  expect(await bench.statuses(1)).toEqual({ '': 'pending', a: 'blocked', b: 'blocked' })
  expect(await bench.isIdle()).toBe(true)
  await bench.ci.approve(bench.repo, 1, 1, bench.user)
  expect(bench.events.at(-1)?.build.stages?.[0]?.status).toBe('pending')
  await expect(bench.ci.approve(bench.repo, 1, 1, bench.user)).rejects.toMatchObject({
    status: 400,
    message: 'Cannot approve a Pipeline with Status "pending"',
  })
  await bench.endStage(await bench.take())
  expect(await bench.statuses(1)).toEqual({ '': 'running', a: 'success', b: 'blocked' })
  // What it waits for is over already.
  await bench.ci.approve(bench.repo, 1, 2, bench.user)
  await bench.endStage(await bench.take())
  expect(await bench.statuses(1)).toEqual({ '': 'success', a: 'success', b: 'success' })
})

test('approved before what it depends on', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(two))
  await bench.ci.approve(bench.repo, 1, 2, bench.user)
  expect(await bench.statuses(1)).toMatchObject({ b: 'waiting_on_dependencies' })
})

test('what needs a declined stage is skipped; others can still be approved', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(pipelines({ a: '', b: 'depends_on: [a]', c: '' })))
  await bench.ci.approve(bench.repo, 1, 2, bench.user)
  await bench.ci.decline(bench.repo, 1, 1, bench.user)
  expect(await bench.statuses(1)).toEqual({ '': 'declined', a: 'declined', b: 'skipped', c: 'blocked' })
  await bench.ci.approve(bench.repo, 1, 3, bench.user)
  const stage = await bench.take()
  const watching = bench.ci.runners.watch(stage.build_id, AbortSignal.timeout(10_000))
  await bench.endStage(stage)
  expect(await watching).toBe(true)
  expect(await bench.statuses(1)).toMatchObject({ '': 'declined', c: 'success' })
  await expect(bench.ci.restart(bench.repo, 1, { debug: false, params: {} }, bench.user)).rejects.toMatchObject({
    status: 400,
    message: 'cannot start a declined build',
  })
})

test('decline all, or nothing', async () => {
  await change({ protected: true })
  const sha = bench.commit(two)
  await bench.push(sha)
  await bench.push(sha)
  await bench.ci.decline(bench.repo, 1, undefined, bench.user)
  expect(await bench.statuses(1)).toEqual({ '': 'declined', a: 'declined', b: 'declined' })
  await bench.ci.approve(bench.repo, 2, 2, bench.user)
  await expect(bench.ci.decline(bench.repo, 2, undefined, bench.user)).rejects.toMatchObject({
    status: 400,
    message: 'Cannot decline build with status "waiting_on_dependencies"',
  })
  expect(await bench.statuses(2)).toMatchObject({ '': 'pending', a: 'blocked' })
  await expect(bench.ci.decline(bench.repo, 9, undefined, bench.user)).rejects.toMatchObject({
    status: 404,
    message: 'Build not found',
  })
  await expect(bench.ci.approve(bench.repo, 1, 9, bench.user)).rejects.toMatchObject({
    status: 404,
    message: 'Stage not found',
  })
})

test('a build that awaits approval can be cancelled @system', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(two))
  await bench.ci.cancel(bench.repo, 1, bench.user)
  expect(await bench.statuses(1)).toEqual({ '': 'killed', a: 'skipped', b: 'skipped' })
})

test('a signed file needs no approval, and an unsigned one does, also for a build started manually @system', async () => {
  await change({ protected: true })
  const secret = (await findRepoInternals(bench.db, bench.repo.id))?.secret ?? ''
  const hmac = await bench.ci.sign(bench.repo, two, secret)
  const signed = `${two}---\nkind: signature\nhmac: ${hmac}\n`
  await bench.push(bench.commit(signed))
  expect(await bench.statuses(1)).toMatchObject({ a: 'pending' })
  await bench.push(bench.commit(signed.replace('echo a', 'echo x')))
  expect(await bench.statuses(2)).toMatchObject({ a: 'blocked' })
  await bench.startBuild()
  expect(await bench.statuses(3)).toMatchObject({ a: 'blocked' })
})

test('pull requests wait for approval unless the repository is trusted @system', async () => {
  const sha = bench.commit(pipelines({ a: '' }))
  const request = { event: 'pull_request' as const, ref: 'refs/pull/7/head', action: 'opened' }
  await bench.push(sha, request)
  expect(await bench.statuses(1)).toEqual({ '': 'pending', a: 'blocked' })
  await change({ trusted: true })
  await bench.push(sha, request)
  expect(await bench.statuses(2)).toEqual({ '': 'pending', a: 'pending' })
  await change({ ignore_forks: true })
  expect(await bench.push(sha, { ...request, sourceRepo: 'eve/web' })).toBeNull()
  expect(await bench.push(sha, { ...request, sourceRepo: 'ACME/web' })).not.toBeNull()
  await change({ ignore_pull_requests: true })
  expect(await bench.push(sha, request)).toBeNull()
})
