import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Status } from '@flightdeck/api'
import { findRepo, updateRepo } from '../store/repos.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** The last event, as `build: stage, stage`. */
const told = (): string => {
  const { build } = bench.events.at(-1) ?? {}
  const stages = build?.stages?.map(({ status, steps }) =>
    [status, ...(steps ?? []).map((step) => step.status)].join('/'),
  )
  return `${build?.status}: ${stages?.join(', ')}`
}
/** Each of `acts` publishes; returns the last event of each. */
async function notify(...acts: (() => Promise<unknown>)[]): Promise<string[]> {
  const all: string[] = []
  for (const act of acts) {
    const before = bench.events.length
    await act()
    expect(bench.events.length, `${act.toString()} published`).toBeGreaterThan(before)
    all.push(told())
  }
  return all
}

test('creation, each step and each stage’s end are published, where Drone is silent', async () => {
  bench.commit(pipelines({ a: '', b: '' }))
  const stages: Awaited<ReturnType<Bench['take']>>[] = []
  const take = async () => void stages.push(await bench.take())
  const end = (index: number, status: Status) => async () => {
    const stage = stages[index]
    if (stage) await bench.endStage(stage, status)
  }
  const step = async () => {
    const [first] = stages[0]?.steps ?? []
    if (first && stages[0]) stages[0].steps[0] = await bench.runStep(first)
  }
  expect(await notify(() => bench.startBuild(), take, step, take, end(0, 'success'), end(1, 'failure'))).toEqual([
    'pending: pending, pending',
    'running: running/pending, pending',
    'running: running/running, pending',
    'running: running/running, running/pending',
    'running: success/success, running/pending',
    'failure: success/success, failure/failure',
  ])
})

test('cancel, approve and decline are published', async () => {
  const { repo, ci } = bench
  await updateRepo(bench.db, { ...((await findRepo(bench.db, repo.id)) ?? repo), protected: true })
  const sha = bench.commit(pipelines({ a: '', b: '' }))
  expect(
    await notify(
      () => bench.push(sha),
      () => ci.approve(repo, 1, 1, bench.user),
      () => ci.decline(repo, 1, 2, bench.user),
      () => ci.cancel(repo, 1, bench.user),
    ),
  ).toEqual([
    'pending: blocked, blocked',
    'pending: pending, blocked',
    'declined: pending, declined',
    'declined: skipped, declined',
  ])
})

test('a build that supersedes another one publishes both @system', async () => {
  await updateRepo(bench.db, {
    ...((await findRepo(bench.db, bench.repo.id)) ?? bench.repo),
    auto_cancel_pull_requests: true,
    trusted: true,
  })
  const sha = bench.commit(pipelines({ a: '' }))
  const request = { event: 'pull_request' as const, ref: 'refs/pull/7/head' }
  await bench.push(sha, request)
  await bench.push(sha, { ...request, ref: 'refs/pull/8/head' })
  await bench.push(sha)
  await bench.push(sha, request)
  const last = new Map(bench.events.map(({ build }) => [build.number, build.status]))
  // Neither another pull request nor a push gives way.
  expect([...last]).toEqual([
    [1, 'skipped'],
    [2, 'pending'],
    [3, 'pending'],
    [4, 'pending'],
  ])
})
