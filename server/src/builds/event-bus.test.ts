import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RepoWithBuild } from '@flightdeck/api'
import { createEventBus } from './event-bus.ts'
import { Refusal } from '../lib/refusal.ts'
import type { BuildEventMessage } from '../interfaces/events.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  reads = 0
})
afterEach(() => {
  vi.useRealTimers()
})

const repo = { id: 7, slug: 'acme/web', visibility: 'private', build: { id: 11, number: 1 } } as RepoWithBuild
const state = (id: number, version: number): RepoWithBuild => ({ ...repo, build: { ...repo.build, id, version } })
/** With the pause of builds that cost much. */
const createBus = () => createEventBus({ pauseMs: () => 100 })
let reads = 0
const read = (what: RepoWithBuild) => async () => {
  reads += 1
  return what
}
/** Waits a few event loop turns, after which a read has been published. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds)
  await settled()
}

/** Published events as `build.version`. */
function listen(bus: ReturnType<typeof createEventBus>): string[] {
  const told: string[] = []
  bus.subscribe((message) => told.push(name(message)))
  return told
}
const name = ({ json, buildId }: BuildEventMessage) => `${buildId}.${(JSON.parse(json) as RepoWithBuild).build.version}`
const recentOf = async (bus: ReturnType<typeof createEventBus>) => (await bus.recent()).map(name)

test('an event has the narrowest visibility since the change', async () => {
  const bus = createBus()
  const seen: string[] = []
  bus.subscribe(({ visibility }) => seen.push(visibility))
  const [open, closed] = [read({ ...repo, visibility: 'public' }), read(repo)]
  await bus.publish(1, open, open, 'private')
  await bus.publish(2, closed, closed, 'public')
  await bus.publish(3, open, open, 'internal')
  await bus.publish(4, open)
  await pass(100)
  // A public change after a private one publishes the whole current state to everyone.
  await bus.publish(5, closed, open, 'private')
  await bus.publish(5, closed, open, 'public')
  await pass(200)
  expect(seen).toEqual(['private', 'private', 'internal', 'public', 'private', 'public'])
})

test('every subscriber gets the same text until it leaves', async () => {
  const bus = createEventBus({ pauseMs: () => 0 })
  const first: BuildEventMessage[] = []
  const second: BuildEventMessage[] = []
  const leave = bus.subscribe((message) => first.push(message))
  bus.subscribe((message) => second.push(message))
  await bus.publish(11, read(repo))
  leave()
  await bus.publish(11, read(repo))
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

test('the first change is sent at once, the last of the next 100 ms after them', async () => {
  const bus = createBus()
  const told = listen(bus)
  await bus.publish(1, read(state(1, 1)))
  expect(told).toEqual(['1.1'])
  for (let version = 2; version <= 50; version++) {
    await pass(1)
    await bus.publish(1, read(state(1, version)))
  }
  expect(told).toEqual(['1.1'])
  await pass(50)
  expect(told).toEqual(['1.1'])
  await pass(1)
  expect(told).toEqual(['1.1', '1.50'])
  await pass(1_000)
  expect(told).toEqual(['1.1', '1.50'])
  await bus.publish(1, read(state(1, 51)))
  expect(told).toEqual(['1.1', '1.50', '1.51'])
})

test('a build that changes all the time is sent ten times a second', async () => {
  const bus = createBus()
  const told = listen(bus)
  for (let version = 1; version <= 1_000; version++) {
    await bus.publish(1, read(state(1, version)))
    await pass(1)
  }
  // Plus the one that was published immediately.
  expect(told.length).toBe(1 + 10)
  expect(reads).toBe(1 + 10)
  await pass(100)
  expect(told.at(-1)).toBe('1.1000')
})

test('builds are sent in the order of their last publication', async () => {
  const bus = createBus()
  const told = listen(bus)
  for (const [id, version] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [3, 1],
    [1, 3],
  ] as const)
    await bus.publish(id, read(state(id, version)))
  await pass(100)
  expect(told).toEqual(['1.1', '2.1', '3.1', '1.3'])
})

test('a new listener gets what comes from then on', async () => {
  const bus = createBus()
  listen(bus)
  await bus.publish(1, read(state(1, 1)))
  await bus.publish(1, read(state(1, 2)))
  const told = listen(bus)
  await pass(100)
  expect(told).toEqual(['1.2'])
})

test('without listeners nothing is read', async () => {
  const bus = createBus()
  await bus.publish(1, read(state(1, 1)))
  await bus.publish(1, read(state(1, 2)))
  await pass(100)
  expect(reads).toBe(0)
})

test('delayed events are read when they are sent, and an error affects one build', async () => {
  const bus = createBus()
  const told = listen(bus)
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const gone = () => Promise.reject(new Refusal(404, 'gone'))
  const failing = () => Promise.reject(new Error('no'))
  const now = read(state(1, 1))
  await bus.publish(1, now)
  await bus.publish(2, now, gone)
  await bus.publish(1, now, gone)
  await bus.publish(2, now, failing)
  await bus.publish(1, now, read(state(1, 3)))
  await pass(100)
  expect(told).toEqual(['1.1', '2.1', '1.3'])
  expect(errors).toHaveBeenCalledOnce()
  await bus.publish(3, read(state(3, 1)))
  await pass(100)
  expect(told.at(-1)).toBe('3.1')
  errors.mockRestore()
})

test('while one build is read, the others keep their order, and none is sent twice at the same time', async () => {
  const bus = createBus()
  const told = listen(bus)
  let open = () => {}
  const slow = new Promise<void>((resolve) => {
    open = resolve
  })
  await bus.publish(1, read(state(1, 1)))
  await bus.publish(1, read(state(1, 2)), async () => {
    await slow
    return state(1, 2)
  })
  await pass(100)
  await bus.publish(2, read(state(2, 1)))
  await bus.publish(1, read(state(1, 3)))
  await pass(1_000)
  expect(told).toEqual(['1.1'])
  open()
  await settled()
  expect(told).toEqual(['1.1', '1.2'])
  await pass(100)
  expect(told).toEqual(['1.1', '1.2', '2.1', '1.3'])
})

test('a stopped bus sends nothing more, and waits for what it is sending', async () => {
  const bus = createBus()
  const told = listen(bus)
  await bus.publish(1, read(state(1, 1)))
  await bus.publish(1, read(state(1, 2)))
  await bus.publish(2, read(state(2, 1)))
  vi.advanceTimersByTime(100)
  await bus.stop()
  const atStop = [...told]
  await bus.publish(1, read(state(1, 3)))
  await pass(1_000)
  expect(told).toEqual(atStop)
  expect(told).not.toContain('1.3')
})

test('the builds that were sent just before can be listed', async () => {
  const bus = createBus()
  await bus.publish(11, read(state(11, 1)))
  await bus.publish(12, read(state(12, 1)))
  await bus.publish(12, read(state(12, 2)))
  await pass(100)
  expect(await recentOf(bus)).toEqual(['11.1', '12.2'])
  await pass(5_000)
  expect(await recentOf(bus)).toEqual([])
})

test('a recent event is read once, and again after the next change', async () => {
  const bus = createBus()
  await bus.publish(11, read(state(11, 1)))
  await pass(100)
  const all = await Promise.all([1, 2, 3].map(() => bus.recent()))
  expect(all.flat().map(name)).toEqual(['11.1', '11.1', '11.1'])
  expect(reads).toBe(1)
  await bus.publish(11, read(state(11, 2)))
  expect(await recentOf(bus)).toEqual(['11.2'])
})

test('an older state that is read slowly overwrites nothing that was sent meanwhile', async () => {
  const bus = createBus()
  let answer: (build: RepoWithBuild) => void = () => {}
  const slow = new Promise<RepoWithBuild>((resolve) => (answer = resolve))
  await bus.publish(11, read(state(11, 1)), () => slow)
  await pass(100)
  const told = listen(bus)
  const asked = recentOf(bus)
  await settled()
  await bus.publish(11, read(state(11, 2)))
  answer(state(11, 1))
  expect([await asked, told]).toEqual([[], ['11.2']])
})

test('a pending build is left out, and a stopped bus has none', async () => {
  const bus = createBus()
  const told = listen(bus)
  for (const version of [1, 2]) await bus.publish(1, read(state(1, version)))
  await bus.publish(2, read(state(2, 1)))
  expect([told, await recentOf(bus)]).toEqual([['1.1'], []])
  await bus.stop()
  expect(await recentOf(bus)).toEqual([])
})

test('in recent events a deleted build is skipped, and another error is logged', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const bus = createBus()
  const failures = [new Refusal(404, 'gone'), new Error('disk')]
  for (const [index, failure] of failures.entries())
    await bus.publish(index, read(state(index, 1)), () => Promise.reject(failure))
  await bus.publish(5, read(state(5, 1)))
  await pass(100)
  said.mockClear()
  expect(await recentOf(bus)).toEqual(['5.1'])
  expect(said.mock.calls.map(([words]) => String(words))).toEqual(['Build 1 could not be published:'])
  said.mockRestore()
})

test('how long further changes wait goes by what the last one cost, up to 100 ms', async () => {
  const bus = createEventBus()
  const told = listen(bus)
  const slowly = (costMs: number, version: number) => async () => {
    vi.advanceTimersByTime(costMs)
    return state(1, version)
  }
  await bus.publish(1, slowly(5, 1))
  await bus.publish(1, slowly(500, 2))
  await pass(19)
  expect(told).toEqual(['1.1'])
  await pass(1)
  expect(told).toEqual(['1.1', '1.2'])
  await bus.publish(1, slowly(0, 3))
  await pass(99)
  expect(told).toEqual(['1.1', '1.2'])
  await pass(1)
  expect(told).toEqual(['1.1', '1.2', '1.3'])
  // Cheap events are published immediately.
  await bus.publish(1, slowly(0, 4))
  await bus.publish(1, slowly(0, 5))
  expect(told.slice(3)).toEqual(['1.4', '1.5'])
})

test('a listener counts as the readers that it passes events on to', () => {
  const bus = createBus()
  listen(bus)
  const leave = bus.subscribe(
    () => {},
    () => 5_000,
  )
  expect(bus.subscribers()).toBe(5_001)
  leave()
  expect(bus.subscribers()).toBe(1)
})

test('once all is sent it has no timers', async () => {
  const bus = createBus()
  listen(bus)
  for (const version of [1, 2]) await bus.publish(1, read(state(1, version)))
  expect(vi.getTimerCount()).toBe(1)
  await pass(100)
  await pass(100)
  expect(vi.getTimerCount()).toBe(0)
})

test('a listener that fails costs the others nothing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    const bus = createEventBus({ pauseMs: () => 0 })
    bus.subscribe(() => {
      throw new Error('broken')
    })
    const told = listen(bus)
    expect(bus.subscribers()).toBe(2)
    await bus.publish(11, read(state(11, 1)))
    expect(told).toEqual(['11.1'])
    expect(said).toHaveBeenCalledTimes(1)
  } finally {
    said.mockRestore()
  }
})

test('of builds that cannot be read only those are spoken of that were not deleted', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    const bus = createBus()
    const told = listen(bus)
    const fail = (error: Error) => async () => Promise.reject(error)
    await bus.publish(1, read(state(1, 1)))
    await bus.publish(1, fail(new Refusal(404, 'Not Found')))
    await bus.publish(2, fail(new Refusal(503, 'busy')))
    await bus.publish(3, fail(new Error('disk')))
    await bus.publish(4, read(state(4, 1)))
    await pass(200)
    expect(told).toEqual(['1.1', '4.1'])
    expect(said.mock.calls.map(([words]) => /\d+/.exec(String(words))?.[0])).toEqual(['2', '3'])
  } finally {
    said.mockRestore()
  }
})

test('after its end nothing is sent', async () => {
  const bus = createBus()
  const told = listen(bus)
  await bus.publish(1, read(state(1, 1)))
  await bus.publish(1, read(state(1, 2)))
  await bus.stop()
  await bus.publish(2, read(state(2, 1)))
  await pass(1_000)
  expect(told).toEqual(['1.1'])
})
