import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RepoWithBuild } from '@flightdeck/api'
import { createEventBus } from './bus.ts'
import type { BuildEventMessage } from './types.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const repo = { id: 7, slug: 'acme/web', visibility: 'private', build: { id: 11, number: 1 } } as RepoWithBuild
const state = (id: number, version: number): RepoWithBuild => ({ ...repo, build: { ...repo.build, id, version } })

/** What was told: `build.version`. */
function listen(bus: ReturnType<typeof createEventBus>): string[] {
  const told: string[] = []
  bus.subscribe(({ json, buildId }) => told.push(`${buildId}.${(JSON.parse(json) as RepoWithBuild).build.version}`))
  return told
}

test('every subscriber gets the same text until it leaves', () => {
  const bus = createEventBus({ mergeMs: 0 })
  const first: BuildEventMessage[] = []
  const second: BuildEventMessage[] = []
  const leave = bus.subscribe((message) => first.push(message))
  bus.subscribe((message) => second.push(message))
  bus.publish(repo)
  leave()
  bus.publish(repo)
  expect(first).toHaveLength(1)
  expect(second).toHaveLength(2)
  expect(second[0]).toBe(first[0])
  expect(first[0]).toEqual({
    repoId: 7,
    buildId: 11,
    slug: 'acme/web',
    visibility: 'private',
    json: JSON.stringify(repo),
  })
})

test('the first change is told at once, the last of the next 100 ms after them', () => {
  const bus = createEventBus()
  const told = listen(bus)
  bus.publish(state(1, 1))
  expect(told).toEqual(['1.1'])
  for (let version = 2; version <= 50; version++) {
    vi.advanceTimersByTime(1)
    bus.publish(state(1, version))
  }
  expect(told).toEqual(['1.1'])
  vi.advanceTimersByTime(50)
  expect(told).toEqual(['1.1'])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['1.1', '1.50'])
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual(['1.1', '1.50'])
  bus.publish(state(1, 51))
  expect(told).toEqual(['1.1', '1.50', '1.51'])
})

test('a build that changes for ever is told ten times a second', () => {
  const bus = createEventBus()
  const told = listen(bus)
  for (let version = 1; version <= 1_000; version++) {
    bus.publish(state(1, version))
    vi.advanceTimersByTime(1)
  }
  // And the one that was told at once.
  expect(told.length).toBe(1 + 10)
  vi.advanceTimersByTime(100)
  expect(told.at(-1)).toBe('1.1000')
})

test('builds are told in the order of what was published last', () => {
  const bus = createEventBus()
  const told = listen(bus)
  for (const [id, version] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [3, 1],
    [1, 3],
  ] as const)
    bus.publish(state(id, version))
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['1.1', '2.1', '3.1', '1.3'])
})

test('whoever comes in between gets what comes from then on', () => {
  const bus = createEventBus()
  bus.publish(state(1, 1))
  bus.publish(state(1, 2))
  const told = listen(bus)
  vi.advanceTimersByTime(100)
  expect(told).toEqual(['1.2'])
})
