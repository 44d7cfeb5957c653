/**
 * Which stages may start, in which order (docs/api §5.4), against the plain words of that section.
 */
import type { Stage, Status } from '@flightdeck/api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBuild } from '../store/builds.ts'
import { buildRow } from '../testing/build-row.ts'
import { stageRow } from '../testing/stage-row.ts'
import { openStore, type Store } from '../store/open.ts'
import { createRepo } from '../store/repos.ts'
import { listLive } from '../store/queue.ts'
import { createStages, listQueue } from '../store/stages.ts'
import { matchesFilter, type StageFilter } from '../pipeline/stage-filter.ts'
import { lineFor } from './startable-stages.ts'
import { queueReasons } from './waiting/scheduler-reasons.ts'

let store: Store
let repos: number[]
let builds: number[]
let number: number
beforeAll(async () => {
  store = openStore(':memory:')
  repos = []
  builds = []
  for (const name of ['one', 'two']) {
    const names = { uid: name, namespace: 'acme', name }
    const repo = await createRepo(store.db, {
      ...names,
      path: name,
      default_branch: 'main',
      visibility: 'private',
      now: 1,
    })
    repos.push(repo.id)
    builds.push((await createBuild(store.db, buildRow({ repo_id: repo.id, number: 1, status: 'running' }))).id)
  }
})
afterAll(() => store.close())
beforeEach(async () => {
  await store.db.deleteFrom('stages').execute()
  number = 0
})

const stage = (more: Partial<Stage> & { repo?: 0 | 1 }) => {
  const { repo = 0, ...own } = more
  number += 1
  const base = { repo_id: repos[repo] ?? 0, build_id: builds[repo] ?? 0, number }
  return stageRow({ ...base, name: 'a', ...own })
}
const eligible = async (filter: StageFilter = { type: 'exec' }): Promise<number[]> => {
  const ids: number[] = []
  for await (const id of lineFor(store.db, filter)) ids.push(id)
  return ids
}
/** Numbers of those that may start. */
const numbers = async (...stages: Parameters<typeof stage>[0][]): Promise<(number | undefined)[]> => {
  await createStages(store.db, stages.map(stage))
  const all = await listQueue(store.db)
  return (await eligible()).map((id) => all.find((one) => one.id === id)?.number)
}
const running: Status = 'running'

describe('a limit of one', () => {
  const limit = 1
  it('holds what is younger', async () => expect(await numbers({ limit }, { limit })).toEqual([1]))
  it('counts older ones that are not limited themselves', async () => expect(await numbers({}, { limit })).toEqual([1]))
  it('counts a running one that is younger', async () =>
    expect(await numbers({ limit }, { status: running })).toEqual([]))
  it('does not count other names', async () =>
    expect(await numbers({ name: 'b', status: running }, { limit })).toEqual([2]))
  it('does not count other repositories', async () =>
    expect(await numbers({ repo: 1, status: running }, { limit })).toEqual([2]))
  it('does not count what is over or waits for others', async () =>
    expect(await numbers({ status: 'success' }, { status: 'waiting_on_dependencies' }, { limit })).toEqual([3]))
  it('counts accepted stages that have not started', async () =>
    expect(await numbers({ machine: 'm' }, { limit })).toEqual([]))
})
it('a limit of two leaves two slots', async () =>
  expect(await numbers({ limit: 2, status: running }, { limit: 2 }, { limit: 2 })).toEqual([2]))

describe('a throttle of two', () => {
  const throttle = 2
  it('counts older ones of any name', async () =>
    expect(await numbers({ throttle }, { throttle, name: 'b' }, { throttle, name: 'c' })).toEqual([1, 2]))
  it('does not count younger ones that run', async () =>
    expect(await numbers({ name: 'b' }, { throttle }, { status: running }, { status: running })).toEqual([1, 2]))
  it('does not count other repositories', async () =>
    expect(await numbers({ repo: 1 }, { repo: 1 }, { throttle })).toEqual([1, 2, 3]))
})

/** As docs/api §5.4 says it, stage by stage. */
function plainly(all: readonly Stage[], filter: StageFilter): number[] {
  const isHeld = (one: Stage): boolean => {
    const others = all.filter((other) => other.repo_id === one.repo_id && other.id !== one.id)
    if (one.throttle && others.filter((other) => other.id < one.id).length >= one.throttle) return true
    const rivals = others.filter(
      (other) => other.name === one.name && (other.id < one.id || other.status === 'running'),
    )
    return one.limit !== undefined && rivals.length >= one.limit
  }
  return all
    .filter((one) => one.status === 'pending' && !one.machine && matchesFilter(one, filter) && !isHeld(one))
    .map(({ id }) => id)
}
/** Deterministic. */
function dice(seed: number): <T>(...of: T[]) => T {
  let state = seed
  return (...of) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return of[Math.floor((state / 2_147_483_648) * of.length)] as (typeof of)[number]
  }
}

it.each([
  [1, ''],
  [2, ' @system'],
  [3, ' @system'],
  [4, ' @system'],
  [5, ' @system'],
  [6, ' @system'],
])('random stages, seed %i: the same as stage by stage%s', async (seed) => {
  const one = dice(seed)
  // More than one slice.
  const stages = Array.from({ length: 450 }, () =>
    stage({
      repo: one(0, 1),
      name: one('a', 'b', 'c', 'd'),
      kind: one('pipeline', 'pipeline', ''),
      type: one('exec', 'exec', 'docker', ''),
      status: one('pending', 'pending', 'pending', 'pending', running, 'success'),
      machine: one('', '', '', 'm'),
      arch: one('amd64', 'amd64', 'arm64'),
      labels: one<Record<string, string>>({}, {}, { zone: 'a' }),
      limit: one(0, 0, 40, 60, -1),
      throttle: one(0, 0, 100, 150),
    }),
  )
  await createStages(store.db, stages)
  const all = await listQueue(store.db)
  let found = 0
  for (const filter of [
    { type: 'exec' },
    {},
    { type: 'exec', os: 'linux', arch: 'amd64' },
    { os: 'linux', arch: 'arm64' },
    { os: 'linux' },
    { type: 'exec', labels: { zone: 'a' } },
  ]) {
    const expected = plainly(all, filter)
    expect(await eligible(filter)).toEqual(expected)
    // Stages that wait for a slot are those that the queue would assign.
    const state = { paused: false, runners: [{ filter, busy: 0, slots: 0 }], stages: await listLive(store.db, 0, 500) }
    const told = [...queueReasons(state)].filter((found) => found?.[1].reason === 'place').map((found) => found?.[0])
    expect(told).toEqual(expected)
    found += expected.length
  }
  expect(found).toBeGreaterThan(50)
})
