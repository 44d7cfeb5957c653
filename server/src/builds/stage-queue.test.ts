import type { Stage } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findRepo, updateRepo } from '../store/repos.ts'
import { never, openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())
const plain = pipelines({ default: '' })

test('first in, first out; the runner that waits longest gets it', async () => {
  const waiting = [bench.request(), bench.request()]
  const sha = bench.commit(plain)
  await bench.push(sha)
  await bench.push(sha)
  const [first, second] = await Promise.all(waiting)
  expect(first?.id).toBeLessThan(second?.id ?? 0)
})

test('a runner only gets what fits it', async () => {
  bench.commit(
    '---\nkind: pipeline\ntype: docker\nname: d\n---\nkind: pipeline\ntype: exec\nname: labelled\nnode: {zone: a}\n---\nkind: pipeline\ntype: exec\nname: arm\nplatform: {arch: arm64}\n',
  )
  await bench.startBuild()
  const ask = async (filter: object): Promise<Stage | null> => {
    const asked = new AbortController()
    const stage = bench.ci.runners.request({ kind: '', type: '', ...filter }, asked.signal)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    asked.abort()
    return stage
  }
  expect(await ask({ type: 'exec', os: 'linux', arch: 'amd64' })).toBeNull()
  expect((await ask({ type: 'exec', os: 'linux', arch: 'arm64' }))?.name).toBe('arm')
  expect(await ask({ type: 'exec', labels: { zone: 'b' } })).toBeNull()
  expect((await ask({ type: 'exec', labels: { zone: 'a' } }))?.name).toBe('labelled')
  expect((await ask({}))?.name).toBe('d')
})

test('a concurrency limit counts stages of the same name @system', async () => {
  const sha = bench.commit(pipelines({ a: 'concurrency: {limit: 1}', b: '' }))
  await bench.push(sha)
  await bench.push(sha)
  const taken = [await bench.take(), await bench.take(), await bench.take()]
  expect(taken.map((stage) => stage.name)).toEqual(['a', 'b', 'b'])
  expect(await bench.isIdle()).toBe(true)
  const [first] = taken
  if (!first) throw new Error('no stage')
  await bench.endStage(first)
  expect((await bench.take()).name).toBe('a')
})

test('a throttle counts all stages of the repository', async () => {
  const repo = await findRepo(bench.db, bench.repo.id)
  if (repo) await updateRepo(bench.db, { ...repo, throttle: 1 })
  const sha = bench.commit(pipelines({ a: '', b: '' }))
  await bench.push(sha)
  const a = await bench.take()
  expect(await bench.isIdle()).toBe(true)
  await bench.endStage(a)
  expect((await bench.take()).name).toBe('b')
})

test('a pause hands nothing out until it ends', async () => {
  bench.ci.pauseQueue()
  await bench.push(bench.commit(plain))
  expect(await bench.isIdle()).toBe(true)
  const waiting = bench.request()
  bench.ci.resumeQueue()
  expect((await waiting)?.name).toBe('default')
})

test('a runner that leaves gets nothing and blocks nothing', async () => {
  const gone = new AbortController()
  const left = bench.request(gone.signal)
  gone.abort()
  expect(await left).toBeNull()
  expect(await bench.request(gone.signal)).toBeNull()
  const waiting = bench.request(never)
  await bench.push(bench.commit(plain))
  expect((await waiting)?.name).toBe('default')
})
