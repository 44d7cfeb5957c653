/**
 * What follows from the end of a stage, and that it costs the same in a large build as in a small
 * one.
 */
import { isDone, isFailed, type Stage, type Status } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createBuild, findBuild, updateBuild } from '../store/builds.ts'
import { openStore, type Store } from '../store/open.ts'
import { createRepo } from '../store/repos.ts'
import { createStages, listStages, updateStage, type NewStage } from '../store/stages.ts'
import { buildRow } from '../testing/build-row.ts'
import { countQueries } from '../testing/count-queries.ts'
import { openBench, pipelines } from '../testing/test-bench.ts'
import { restartText } from '../interfaces/runner.ts'
import { advanceBuild } from './advance-build.ts'

let store: Store
let repoId: number
let number = 0
beforeAll(async () => {
  store = openStore(':memory:')
  const base = {
    uid: '1',
    namespace: 'acme',
    name: 'web',
    path: '/',
    default_branch: 'main',
    visibility: 'private' as const,
  }
  repoId = (await createRepo(store.db, { ...base, now: 1 })).id
})
afterAll(() => store.close())

type Facts = Partial<Stage> & { name: string; status: Status }

/** A build that runs, of these stages. */
async function buildOf(facts: readonly Facts[]): Promise<number> {
  number += 1
  const build = buildRow({ repo_id: repoId, number, status: 'running', started: 1, created: 1, updated: 1 })
  const { id } = await createBuild(store.db, build)
  const rest = {
    repo_id: repoId,
    build_id: id,
    errignore: false,
    exit_code: 0,
    os: '',
    arch: '',
    created: 1,
    updated: 1,
  }
  await createStages(
    store.db,
    facts.map((stage, index): NewStage => {
      return { ...rest, number: index + 1, started: 0, stopped: 0, on_success: true, on_failure: false, ...stage }
    }),
  )
  return id
}
const advance = (buildId: number, ...more: [Parameters<typeof advanceBuild>[3]?]) =>
  advanceBuild(store.db, buildId, 9, ...more)
const statusesOf = async (buildId: number) => (await listStages(store.db, buildId)).map(({ status }) => status)
const resultOf = async (buildId: number) => (await findBuild(store.db, buildId))?.status

describe('a build', () => {
  it.each<[string, Status[], Status]>([
    ['of successes', ['success', 'success'], 'success'],
    ['with skipped ones', ['success', 'skipped'], 'success'],
    ['ends as the first that failed, in the order of ids', ['success', 'error', 'failure'], 'error'],
    ['of which one runs', ['failure', 'running'], 'running'],
    ['of which one is queued', ['failure', 'pending'], 'running'],
    ['of which one is blocked', ['success', 'blocked'], 'running'],
    ['of which one was declined', ['success', 'declined'], 'running'],
    ['that was killed', ['skipped', 'killed', 'failure'], 'killed'],
  ])('%s', async (_what, list, expected) => {
    const id = await buildOf(list.map((status, index) => ({ name: `s${index}`, status })))
    expect(await advance(id)).toBe(expected !== 'running')
    expect(await resultOf(id)).toBe(expected)
  })
  it('that ended already is over once nothing of it runs', async () => {
    const id = await buildOf([
      { name: 'a', status: 'running' },
      { name: 'b', status: 'declined' },
    ])
    const build = await findBuild(store.db, id)
    if (!build) throw new Error('no build')
    await updateBuild(store.db, { ...build, status: 'declined' })
    expect(await advance(id)).toBe(false)
    const [first] = await listStages(store.db, id)
    if (first) await updateStage(store.db, { ...first, status: 'success' })
    expect([await advance(id), await resultOf(id)]).toEqual([true, 'declined'])
  })
})

describe('a stage that waits', () => {
  const waits = (name: string, depends_on: string[], more: Partial<Stage> = {}): Facts => ({
    name,
    status: 'waiting_on_dependencies',
    depends_on,
    ...more,
  })
  const is = (name: string, status: Status): Facts => ({ name, status })
  const onFailure = { on_success: false, on_failure: true }
  it.each<[string, Facts[], string]>([
    ['is released', [is('a', 'success'), is('b', 'skipped'), waits('c', ['a', 'b'])], 'success skipped pending'],
    ['waits for all', [is('a', 'success'), is('b', 'running'), waits('c', ['a', 'b'])], 'success running -'],
    [
      'is skipped after any failure in the build, and what needs it',
      [is('a', 'success'), is('other', 'failure'), waits('b', ['a']), waits('c', ['b'])],
      'success failure skipped skipped',
    ],
    ['against the order, too', [waits('c', ['b']), waits('b', ['a']), is('a', 'failure')], 'skipped skipped failure'],
    ['for a failure runs after one', [is('a', 'failure'), waits('b', ['a'], onFailure)], 'failure pending'],
    ['for a failure is skipped without one', [is('a', 'success'), waits('b', ['a'], onFailure)], 'success skipped'],
    ['does not wait for what is not in the build', [waits('a', ['gone'])], 'pending'],
    ['for nothing at all is released', [waits('a', [])], 'pending'],
    ['does not pass another', [is('a', 'success'), waits('b', ['a']), waits('c', ['b'])], 'success pending -'],
    [
      'for a declined one is skipped',
      [is('a', 'declined'), is('b', 'running'), waits('c', ['b', 'a'])],
      'declined running skipped',
    ],
    [
      'for what waits for a declined one is skipped, even for failures',
      [is('a', 'declined'), waits('b', ['a']), waits('c', ['b'], { ...onFailure, on_success: true })],
      'declined skipped skipped',
    ],
    ['has a strange name', [is('a "b" \\,é', 'success'), waits('c', ['x', 'a "b" \\,é'])], 'success pending'],
  ])('%s', async (_what, facts, expected) => {
    const wanted = expected.split(' ').map((status) => (status === '-' ? 'waiting_on_dependencies' : status))
    const id = await buildOf(facts)
    await advance(id)
    expect(await statusesOf(id)).toEqual(wanted)
  })
})

it('what is skipped began and ended now; what is released has no times yet', async () => {
  const id = await buildOf([
    { name: 'a', status: 'failure' },
    { name: 'b', status: 'waiting_on_dependencies', depends_on: ['a'] },
    { name: 'c', status: 'waiting_on_dependencies', depends_on: ['a'], on_success: false, on_failure: true },
  ])
  await advance(id)
  const [, skipped, released] = await listStages(store.db, id)
  expect(skipped).toMatchObject({ status: 'skipped', started: 9, stopped: 9, updated: 9 })
  expect(released).toMatchObject({ status: 'pending', started: 0, stopped: 0, updated: 9 })
})

it('a build ends now, keeps its start or has one at last, and says if the server was the reason', async () => {
  const id = await buildOf([{ name: 'a', status: 'success' }])
  await advance(id)
  const ended = await findBuild(store.db, id)
  expect(ended).toMatchObject({ started: 1, finished: 9 })
  expect(ended).not.toHaveProperty('error')
  const other = await buildOf([{ name: 'a', status: 'error', error: restartText }])
  const build = await findBuild(store.db, other)
  if (build) await updateBuild(store.db, { ...build, started: 0 })
  await advance(other)
  expect(await findBuild(store.db, other)).toMatchObject({ started: 9, finished: 9, error: restartText })
})

/**
 * The documented rule, applied to all stages: the expected result of checking only those that a
 * change affects.
 */
function settled(stages: readonly Stage[]): Status[] {
  const now = new Map(stages.map((stage) => [stage.name, stage.status]))
  const lost = new Set(stages.filter(({ status }) => status === 'declined').map(({ name }) => name))
  const failed = stages.some(({ status }) => isFailed(status))
  for (let before = ''; before !== [...now.values()].join();) {
    before = [...now.values()].join()
    for (const { name, depends_on: needs = [], ...stage } of stages) {
      if (now.get(name) !== 'waiting_on_dependencies') continue
      if (needs.some((need) => lost.has(need))) {
        lost.add(name)
        now.set(name, 'skipped')
      } else if (lost.size === 0 && needs.every((need) => isDone(now.get(need) ?? 'success'))) {
        now.set(name, (failed ? stage.on_failure : stage.on_success) ? 'pending' : 'skipped')
      }
    }
  }
  return stages.map(({ name }) => now.get(name) ?? 'error')
}

/** Seeded, so that failures are reproducible. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

test.each(Array.from({ length: 30 }, (_, seed) => seed + 1))('graph %i goes the same way, end by end', async (seed) => {
  const roll = dice(seed)
  const facts = Array.from({ length: 12 }, (_, index): Facts => {
    const needs = Array.from({ length: index }, (_item, other) => `s${other}`).filter(() => roll(4) === 0)
    const status = needs.length > 0 ? 'waiting_on_dependencies' : 'pending'
    return { name: `s${index}`, status, depends_on: needs, on_success: roll(5) > 0, on_failure: roll(3) === 0 }
  })
  const id = await buildOf(facts)
  for (;;) {
    const stages = await listStages(store.db, id)
    const next = stages.filter(({ status }) => status === 'pending')[0]
    if (!next) break
    const status = (['success', 'success', 'success', 'failure', 'skipped'] as const)[roll(5)] ?? 'success'
    await updateStage(store.db, { ...next, status })
    const expected = settled(stages.map((stage) => (stage.id === next.id ? { ...stage, status } : stage)))
    await advance(id, { needs: next.name })
    expect(await statusesOf(id)).toEqual(expected)
  }
  expect((await statusesOf(id)).every(isDone)).toBe(true)
  expect(isDone((await resultOf(id)) ?? '')).toBe(true)
})

test('a stage of a large build ends as cheaply as one of a small build @system', async () => {
  const count = countQueries()
  // Publishing is not counted here; its rate is limited by the pause between events.
  const bench = await openBench({ plugin: count, mergeMs: 3_600_000 })
  const costs = async (stages: number) => {
    const waiting = Array.from(
      { length: stages },
      (_, index) => [`p${index}`, index > 0 ? 'depends_on: [p0]' : ''] as const,
    )
    const build = await bench.push(bench.commit(pipelines(Object.fromEntries([...waiting, ['other', '']]))))
    const [first, other] = [await bench.take(), await bench.take()]
    count.clear()
    await bench.endStage(other)
    const { queries, rows } = count.of('select stages')
    await bench.endStage(first)
    expect((await bench.build(build?.number ?? 0)).stages.filter(({ status }) => status === 'pending')).toHaveLength(
      stages - 1,
    )
    await bench.ci.cancel(bench.repo, build?.number ?? 0, bench.user)
    return { queries, rows }
  }
  try {
    expect(await costs(300)).toEqual(await costs(3))
  } finally {
    await bench.close()
  }
})
