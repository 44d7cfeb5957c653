/** The person who started a build, in addition to the author of the commit. */
import type { User } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findRepo, updateRepo } from '../store/repos.ts'
import { createUser } from '../store/users.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
let wes: User
beforeEach(async () => {
  bench = await openBench()
  wes = await createUser(bench.db, { login: 'wes', created: 1 })
})
afterEach(() => bench.close())

const one = pipelines({ a: '' })

test('manual builds, restarts, debug runs and deployments name the person who started them, and the commit its author', async () => {
  await bench.push(bench.commit(one), { message: '' })
  expect(await bench.build(1)).not.toHaveProperty('actor')
  await bench.startBuild()
  await bench.ci.restart(bench.repo, 1, { debug: false, params: {} }, wes)
  await bench.ci.restart(bench.repo, 2, { debug: true, params: {} }, wes)
  await bench.ci.deploy(bench.repo, 1, { event: 'promote', target: 'x', params: {} }, wes)
  await bench.ci.deploy(bench.repo, 1, { event: 'rollback', target: 'x', params: {} }, wes)
  expect((await bench.build(2)).actor).toBe('ann')
  for (const number of [3, 4, 5, 6]) {
    const build = await bench.build(number)
    expect([number, build.actor, build.created]).toEqual([number, 'wes', bench.clock.now])
    expect(build.author_name).toBe('Ada')
  }
  // A push has no actor, so a restart by another person names that person.
  await bench.ci.restart(bench.repo, 3, { debug: false, params: {} }, bench.user)
  expect((await bench.build(7)).actor).toBe('ann')
})

test('also of a build that ends as an error at once, with an empty trigger', async () => {
  await bench.push(bench.commit('nonsense'))
  await bench.ci.restart(bench.repo, 1, { debug: false, params: {} }, wes)
  expect(await bench.build(2)).toMatchObject({ status: 'error', trigger: '', actor: 'wes' })
})

test('a cancel is stored with person and time, once, and only if it ended something', async () => {
  const sha = bench.commit(one)
  await bench.push(sha)
  bench.clock.now += 10
  await bench.ci.cancel(bench.repo, 1, wes)
  bench.clock.now += 10
  const again = await bench.ci.cancel(bench.repo, 1, bench.user)
  expect(again).toMatchObject({ status: 'killed', canceled_by: 'wes', canceled: bench.clock.now - 10 })
  expect(bench.events.at(-1)?.build.canceled_by).toBe('wes')
  await bench.push(sha)
  await bench.endStage(await bench.take())
  await bench.ci.cancel(bench.repo, 2, wes)
  expect(await bench.build(2)).not.toHaveProperty('canceled_by')
})

test('a build that is superseded by a newer one has no person who cancelled it', async () => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, auto_cancel_pushes: true })
  const sha = bench.commit(one)
  await bench.push(sha)
  await bench.push(sha)
  expect(await bench.build(1)).toMatchObject({ status: 'skipped' })
  expect(await bench.build(1)).not.toHaveProperty('canceled_by')
})

test('approvals and declines are stored with person and time, and sent in the event @system', async () => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, protected: true })
  await bench.push(bench.commit(pipelines({ a: '', b: '' })))
  bench.clock.now += 5
  await bench.ci.approve(bench.repo, 1, 1, wes)
  bench.clock.now += 5
  await bench.ci.decline(bench.repo, 1, 2, bench.user)
  const { stages } = await bench.build(1)
  expect(stages[0]).toMatchObject({ approved_by: 'wes', approved: bench.clock.now - 5 })
  expect(stages[0]).not.toHaveProperty('declined')
  expect(stages[1]).toMatchObject({ declined_by: 'ann', declined: bench.clock.now })
  expect(stages[1]).not.toHaveProperty('approved')
  expect(bench.events.at(-1)?.build.stages?.[1]).toMatchObject({ declined_by: 'ann' })
  // What a runner reports later does not change it.
  await bench.endStage(await bench.take())
  expect((await bench.build(1)).stages[0]).toMatchObject({ status: 'success', approved_by: 'wes' })
})

test.each(['nonsense', 'blocked', 'declined', 'waiting_on_dependencies', ''])(
  'a runner cannot report the status "%s"',
  async (word) => {
    const status = word as 'pending'
    await bench.push(bench.commit(one))
    const stage = await bench.take()
    const refusal = { status: 400, message: `Invalid status "${word}"` }
    const [step] = stage.steps
    if (!step) throw new Error('no step')
    await expect(bench.ci.runners.updateStep({ ...step, status })).rejects.toMatchObject(refusal)
    await expect(bench.ci.runners.updateStage({ ...stage, status })).rejects.toMatchObject(refusal)
    const withStep = { ...stage, status: 'success' as const, steps: [{ ...step, status }] }
    await expect(bench.ci.runners.updateStage(withStep)).rejects.toMatchObject(refusal)
    expect(await bench.statuses(1)).toEqual({ '': 'running', a: 'running' })
    await bench.endStage(stage)
    expect(await bench.statuses(1)).toEqual({ '': 'success', a: 'success' })
  },
)
