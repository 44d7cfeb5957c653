/** A build that originates from an unapproved build needs approval as well. */
import type { User } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCron } from '../store/cron.ts'
import { setEnvironmentRule } from '../store/environments.ts'
import { findRepo, findRepoInternals, updateRepo, updateRepoInternals } from '../store/repos.ts'
import { createUser } from '../store/users.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
let wes: User
beforeEach(async () => {
  bench = await openBench()
  wes = await createUser(bench.db, { login: 'wes', created: 1 })
})
afterEach(() => bench.close())

const change = async (changes: object) => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, ...changes })
}
const restart = (number: number, debug = false) => bench.ci.restart(bench.repo, number, { debug, params: {} }, wes)
const deploy = (number: number, event: 'promote' | 'rollback') =>
  bench.ci.deploy(bench.repo, number, { event, target: 'production', params: {} }, wes)
const stagesOf = async (number: number) => {
  const { '': _build, ...stages } = await bench.statuses(number)
  return stages
}
const one = pipelines({ a: '' })
const request = { event: 'pull_request' as const, ref: 'refs/pull/7/head', action: 'opened' }

test('a copy of a build that waits for approval waits, too, however it was made', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(one))
  await restart(1)
  await restart(1, true)
  await deploy(1, 'promote')
  await deploy(1, 'rollback')
  // A copy of the copy, and of its deployment.
  await restart(2)
  await restart(4)
  for (const number of [2, 3, 4, 5, 6, 7]) expect([number, await stagesOf(number)]).toEqual([number, { a: 'blocked' }])
  expect(await bench.isIdle()).toBe(true)
  // Approving a copy opens the copy, and not what it was made from.
  await bench.ci.approve(bench.repo, 2, 1, wes)
  expect(await stagesOf(2)).toEqual({ a: 'pending' })
  expect(await stagesOf(1)).toEqual({ a: 'blocked' })
  await restart(1)
  expect(await stagesOf(8)).toEqual({ a: 'blocked' })
})

test('so does the copy of one that was cancelled or declined while it waited', async () => {
  await change({ protected: true })
  const sha = bench.commit(one)
  await bench.push(sha)
  await bench.ci.cancel(bench.repo, 1, wes)
  await restart(1)
  expect(await stagesOf(2)).toEqual({ a: 'blocked' })
  await bench.push(sha)
  await bench.ci.decline(bench.repo, 3, undefined, wes)
  await expect(restart(3)).rejects.toMatchObject({ status: 400 })
  await deploy(3, 'promote')
  expect(await stagesOf(4)).toEqual({ a: 'blocked' })
})

test('an approval goes along with the stage that it was given for, and with no other', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(pipelines({ a: '', b: '', c: 'trigger: { event: [promote] }' })))
  await bench.ci.approve(bench.repo, 1, 1, bench.user)
  await restart(1)
  expect(await stagesOf(2)).toEqual({ a: 'pending', b: 'blocked' })
  expect((await bench.build(2)).stages[0]).toMatchObject({ approved_by: 'ann', approved: bench.clock.now })
  await restart(2)
  expect(await stagesOf(3)).toEqual({ a: 'pending', b: 'blocked' })
  await deploy(1, 'promote')
  expect(await stagesOf(4)).toEqual({ a: 'pending', b: 'blocked', c: 'blocked' })
})

test('an approved stage waits for what it depends on in the copy, too', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(pipelines({ a: '', b: 'depends_on: [a]' })))
  await bench.ci.approve(bench.repo, 1, 2, wes)
  await restart(1)
  expect(await stagesOf(2)).toEqual({ a: 'blocked', b: 'waiting_on_dependencies' })
})

test('taking the protection away opens nothing that was closed', async () => {
  await change({ protected: true })
  await bench.push(bench.commit(one))
  await change({ protected: false })
  await restart(1)
  expect(await stagesOf(2)).toEqual({ a: 'blocked' })
})

test('what ran before the repository was protected waits when it is made again', async () => {
  await bench.push(bench.commit(one))
  await restart(1)
  expect(await stagesOf(2)).toEqual({ a: 'pending' })
  await change({ protected: true })
  await restart(1)
  await deploy(2, 'promote')
  expect(await stagesOf(3)).toEqual({ a: 'blocked' })
  expect(await stagesOf(4)).toEqual({ a: 'blocked' })
})

/** Each case starts without another build. */
const starters: Record<string, (sha: string) => Promise<unknown>> = {
  'a cron job': () => bench.ci.runCron(bench.repo, 'nightly', wes),
  'a person or a call': () => bench.startBuild(),
  'a push': (sha) => bench.push(sha),
  'a tag': (sha) => bench.push(sha, { event: 'tag', ref: 'refs/tags/v1' }),
}

test.each(Object.keys(starters))(
  '%s runs no commit of a protected repository without an approval @system',
  async (what) => {
    await change({ protected: true })
    const sha = bench.commit(one)
    await createCron(bench.db, { repo_id: bench.repo.id, name: 'nightly', expr: '@daily', branch: 'main', next: 1 })
    await starters[what]?.(sha)
    expect(await stagesOf(1)).toEqual({ a: 'blocked' })
    await restart(1)
    await deploy(1, 'promote')
    for (const number of [2, 3]) expect(await stagesOf(number)).toEqual({ a: 'blocked' })
    // The commit's [skip ci] message does not approve its file.
    bench.source.commit({ more: 'x' }, 'change [skip ci]')
    await bench.ci.runCron(bench.repo, 'nightly', wes)
    expect(await stagesOf(4)).toEqual({ a: 'blocked' })
    expect(await bench.isIdle()).toBe(true)
  },
)

test('what was approved of a commit runs for its cron jobs and by hand, stage by stage; another commit waits @system', async () => {
  await change({ protected: true })
  await createCron(bench.db, { repo_id: bench.repo.id, name: 'nightly', expr: '@daily', branch: 'main', next: 1 })
  const file = pipelines({ a: '', b: '', c: 'trigger: { event: [cron] }' })
  await bench.push(bench.commit(file))
  await bench.ci.approve(bench.repo, 1, 1, bench.user)
  await bench.ci.runCron(bench.repo, 'nightly', wes)
  expect(await stagesOf(2)).toEqual({ a: 'pending', b: 'blocked', c: 'blocked' })
  expect((await bench.build(2)).stages[0]).toMatchObject({ approved_by: 'ann' })
  await bench.ci.approve(bench.repo, 2, 3, bench.user)
  await bench.ci.runCron(bench.repo, 'nightly', wes)
  expect(await stagesOf(3)).toEqual({ a: 'pending', b: 'blocked', c: 'pending' })
  await bench.startBuild()
  expect(await stagesOf(4)).toEqual({ a: 'pending', b: 'blocked' })
  bench.source.commit({ more: 'x' }, 'another')
  await bench.ci.runCron(bench.repo, 'nightly', wes)
  expect(await stagesOf(5)).toEqual({ a: 'blocked', b: 'blocked', c: 'blocked' })
})

test('an approval is none for the same commit on another branch, or as another file', async () => {
  await change({ protected: true })
  await createCron(bench.db, { repo_id: bench.repo.id, name: 'nightly', expr: '@daily', branch: 'main', next: 1 })
  const sha = bench.source.commit({ '.drone.yml': one, 'other.yml': `${one}\n# other` }, 'change')
  await bench.push(sha, { ref: 'refs/heads/side', target: 'side' })
  await bench.ci.approve(bench.repo, 1, 1, bench.user)
  await bench.ci.runCron(bench.repo, 'nightly', wes)
  expect(await stagesOf(2)).toEqual({ a: 'blocked' })
  await bench.ci.approve(bench.repo, 2, 1, bench.user)
  await change({ config_path: 'other.yml' })
  await bench.ci.runCron(bench.repo, 'nightly', wes)
  expect(await stagesOf(3)).toEqual({ a: 'blocked' })
})

test('a signed file needs no approval, whatever starts it', async () => {
  await change({ protected: true })
  await createCron(bench.db, { repo_id: bench.repo.id, name: 'nightly', expr: '@daily', branch: 'main', next: 1 })
  const { secret = '' } = (await findRepoInternals(bench.db, bench.repo.id)) ?? {}
  bench.commit(`${one}---\nkind: signature\nhmac: ${await bench.ci.sign(bench.repo, one, secret)}\n`)
  await bench.ci.runCron(bench.repo, 'nightly', wes)
  expect(await stagesOf(1)).toEqual({ a: 'pending' })
})

test('an approval for an environment does not cover a signed file, whose copies run elsewhere', async () => {
  await change({ protected: true })
  const { secret = '' } = (await findRepoInternals(bench.db, bench.repo.id)) ?? {}
  const sha = bench.commit(`${one}---\nkind: signature\nhmac: ${await bench.ci.sign(bench.repo, one, secret)}\n`)
  await bench.push(sha)
  await setEnvironmentRule(bench.db, bench.repo.id, { name: 'production', who: 'writers', approval: true })
  await deploy(1, 'promote')
  expect(await stagesOf(2)).toEqual({ a: 'blocked' })
  await bench.ci.deploy(bench.repo, 2, { event: 'promote', target: 'staging', params: {} }, wes)
  expect(await stagesOf(3)).toEqual({ a: 'pending' })
})

test('a pipeline file that is found later, under another name, is not approved', async () => {
  await change({ protected: true })
  const sha = bench.source.commit({ 'other.yml': one }, 'change')
  await bench.push(sha)
  expect((await bench.build(1)).status).toBe('error')
  await change({ config_path: 'other.yml' })
  await restart(1)
  expect(await stagesOf(2)).toEqual({ a: 'blocked' })
})

test('a pull request: its copies wait, and its approval is none for a deployment, which gets more secrets', async () => {
  const sha = bench.commit(one)
  await bench.push(sha, request)
  await restart(1)
  await deploy(1, 'promote')
  expect(await stagesOf(2)).toEqual({ a: 'blocked' })
  expect(await stagesOf(3)).toEqual({ a: 'blocked' })
  await bench.ci.approve(bench.repo, 1, 1, wes)
  await restart(1)
  await deploy(1, 'promote')
  expect(await stagesOf(4)).toEqual({ a: 'pending' })
  expect(await stagesOf(5)).toEqual({ a: 'blocked' })
  await bench.ci.approve(bench.repo, 5, 1, wes)
  await restart(5)
  expect(await stagesOf(6)).toEqual({ a: 'pending' })
})

test('a repository without a key has no signatures: with an empty key anyone could sign', async () => {
  await change({ protected: true })
  await updateRepoInternals(bench.db, bench.repo.id, { secret: '' })
  const signed = `${one}---\nkind: signature\nhmac: ${await bench.ci.sign(bench.repo, one, '')}\n`
  await bench.push(bench.commit(signed))
  expect(await stagesOf(1)).toEqual({ a: 'blocked' })
})
