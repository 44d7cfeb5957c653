/** Simulated subscribers on the build event bus. */
import type { RepoWithBuild } from '@flightdeck/api'
import { afterEach, expect, it } from 'vitest'
import { createEventBus } from '../../builds/event-bus.ts'
import { behindBytes } from '../../lib/stream-connection.ts'
import { createTestConnection } from '../../testing/test-connection.ts'
import { createBroadcaster, type Audience } from './broadcaster.ts'

const failures: unknown[] = []
afterEach(() => expect(failures.splice(0)).toEqual([]))

/** Of rights that change when the test says so. */
function createRights() {
  const listeners = new Set<() => void>()
  let version = 1
  return {
    version: () => version,
    onLoss(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: () => void (version += 1),
    lose() {
      version += 1
      for (const listener of listeners) listener()
    },
    listeners,
  }
}

function bench({ pingMs = 600_000, limits = {} } = {}) {
  const bus = createEventBus({ pauseMs: () => 0 })
  const rights = createRights()
  const broadcaster = createBroadcaster({
    events: bus,
    rights,
    pingMs,
    failed: (error) => failures.push(error),
    limits,
  })
  const publish = (buildId: number, version: number, message = '') =>
    bus.publish(
      buildId,
      async () =>
        ({ id: 1, slug: 'a/b', visibility: 'public', build: { id: buildId, version, message } }) as RepoWithBuild,
    )

  function join(audience: Audience, { wantsRecent = false, judged = rights.version() } = {}) {
    const connection = createTestConnection()
    const reader = {
      connection,
      /** Build and version of each received event. */
      queued: () =>
        connection
          .text()
          .split('\n')
          .filter((line) => line.startsWith('data: {'))
          .map((line) => (JSON.parse(line.slice(6)) as RepoWithBuild).build)
          .map((build) => `${build.id}.${build.version}`),
      how: connection.how,
      drain: connection.drain,
      leave: connection.leave,
    }
    broadcaster.join(connection, audience, { judged, wantsRecent })
    return reader
  }
  return { bus, rights, publish, join }
}

const audienceOf = (key: string, sees: Audience['canSee'] = () => true, stays = async () => true): Audience => ({
  key,
  canSee: sees,
  canStay: stays,
})
const everything = audienceOf('everything')
/** Resolves when all published events have been sent. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const large = 'x'.repeat(behindBytes)

it('listens to the bus once, and makes the bytes of an event once, for readers of any number of people', async () => {
  const { bus, publish, join } = bench()
  const readers = ['ann', 'ann', 'wes'].map((name) => join(audienceOf(name)))
  expect(bus.subscribers()).toBe(3)
  await publish(1, 1)
  await settled()
  const [first, ...others] = readers.map(({ connection }) => connection.frames.at(-1)?.chunk)
  expect(Buffer.from(first ?? []).toString('latin1')).toMatch(/^[0-9a-f]+\r\ndata: \{.*\}\n\n\r\n$/)
  for (const other of others) expect(other).toBe(first)
  for (const reader of readers) reader.leave()
  expect(bus.subscribers()).toBe(0)
})

it('sends every state in order to readers that keep up, also for events that arrive meanwhile', async () => {
  const { publish, join } = bench()
  const readers = Array.from({ length: 300 }, () => join(everything))
  const all: string[] = []
  for (let version = 1; version <= 40; version += 1) {
    await publish(1 + (version % 2), version)
    all.push(`${1 + (version % 2)}.${version}`)
    if (version % 7 === 0) await settled()
  }
  await settled()
  for (const reader of readers) expect(reader.queued()).toEqual(all)
})

it('sends a slow reader the latest state of each build, once it has read what is pending', async () => {
  const { publish, join } = bench()
  const [slow, quick] = [join(everything), join(everything)]
  slow.connection.takes = false
  await publish(1, 1, large)
  await settled()
  for (const [build, version] of [
    [1, 2],
    [2, 1],
    [1, 3],
    [3, 1],
    [2, 2],
  ] as const)
    await publish(build, version)
  await settled()
  expect([slow.queued(), quick.queued()]).toEqual([['1.1'], ['1.1', '1.2', '2.1', '1.3', '3.1', '2.2']])
  slow.drain()
  await settled()
  expect(slow.queued()).toEqual(['1.1', '1.3', '3.1', '2.2'])
  await publish(1, 4)
  await settled()
  expect(slow.queued().at(-1)).toBe('1.4')
})

it('sends a slow reader nothing that it may not see by then', async () => {
  const { publish, join, rights } = bench()
  let may = true
  const slow = join(audienceOf('slow', ({ buildId }) => may || buildId === 3))
  slow.connection.takes = false
  await publish(1, 1, large)
  await settled()
  for (const build of [1, 2, 3]) await publish(build, 2)
  await settled()
  may = false
  rights.change()
  slow.drain()
  await settled()
  expect(slow.queued()).toEqual(['1.1', '3.2'])
})

it('cuts a reader that has missed more than is kept, and costs nothing for those that take nothing', async () => {
  const { publish, join } = bench({ limits: { maxBuilds: 3 } })
  const slow = join(everything)
  slow.connection.takes = false
  await publish(1, 1, large)
  await settled()
  for (const build of [2, 3, 4, 5]) await publish(build, 1)
  await settled()
  slow.drain()
  await settled()
  expect([slow.queued(), slow.how()]).toEqual([['1.1'], 'cut'])
})

it('checks rights when an event is sent, and again if they change before a reader has it', async () => {
  const { publish, join, rights } = bench()
  const mayNow = new Set<string>()
  const one = (key: string) => join(audienceOf(key, () => mayNow.has(key)))
  mayNow.add('loses')
  const [loses, gains] = [one('loses'), one('gains')]
  await publish(1, 1)
  mayNow.delete('loses')
  mayNow.add('gains')
  rights.change()
  await settled()
  expect([loses.queued(), gains.queued()]).toEqual([[], []])
  await publish(1, 2)
  await settled()
  expect([loses.queued(), gains.queued()]).toEqual([[], ['1.2']])
})

it('ends the streams of a credential that is not good any more, and leaves the others', async () => {
  const { publish, join, rights, bus } = bench()
  let isGood = true
  const audience = audienceOf(
    'session',
    () => isGood,
    async () => isGood,
  )
  const ended = [join(audience), join(audience)]
  const stays = join(everything)
  isGood = false
  rights.lose()
  await publish(1, 1)
  await settled()
  expect(ended.map((reader) => [reader.how(), reader.queued()])).toEqual([
    ['ended', []],
    ['ended', []],
  ])
  expect([stays.how(), stays.queued(), bus.subscribers()]).toEqual(['open', ['1.1'], 1])
  // The same credential may reconnect, such as a session that was only busy.
  isGood = true
  const again = join(audience)
  await publish(1, 2)
  await settled()
  expect(again.queued()).toEqual(['1.2'])
})

it('checks rights at once for a reader that connected before they changed, also beside others of its kind', async () => {
  const { join, rights } = bench()
  let asked = 0
  const audience = audienceOf(
    'ann',
    () => true,
    async () => (asked += 1) > 0,
  )
  join(audience)
  rights.change()
  join(audience)
  await settled()
  expect(asked).toBe(0)
  join(audience, { judged: rights.version() - 1 })
  await settled()
  expect(asked).toBe(1)
})

it('ends the streams whose rights cannot be read, and logs why once', async () => {
  const { publish, join } = bench()
  const broken = [1, 2].map(() => join(audienceOf('broken', () => Promise.reject(new Error('locked')))))
  const other = join(everything)
  await publish(1, 1)
  await settled()
  expect(broken.map(({ how }) => how())).toEqual(['ended', 'ended'])
  expect(other.queued()).toEqual(['1.1'])
  expect(failures.splice(0)).toEqual([new Error('locked')])
})

it('ends all streams when the recent events cannot be read, so that readers connect again', async () => {
  const { bus, publish, join } = bench()
  bus.recent = () => Promise.reject(new Error('disk'))
  const old = join(everything)
  const page = join(everything, { wantsRecent: true })
  await settled()
  expect([old.how(), page.how()]).toEqual(['ended', 'ended'])
  expect(failures.splice(0)).toEqual([new Error('disk')])
  const later = join(everything)
  await publish(1, 1)
  await settled()
  expect(later.queued()).toEqual(['1.1'])
})

it('sends recent events to a new reader, and to no reader twice', async () => {
  const { publish, join } = bench()
  const old = join(everything)
  await publish(1, 1)
  await publish(2, 1)
  await settled()
  const page = join(everything, { wantsRecent: true })
  const program = join(everything)
  await settled()
  expect([old.queued(), page.queued(), program.queued()]).toEqual([['1.1', '2.1'], ['1.1', '2.1'], []])
  await publish(1, 2)
  await settled()
  expect(page.queued()).toEqual(['1.1', '2.1', '1.2'])
})

it('pings idle readers, also if many events happen that they may not see', async () => {
  const { publish, join } = bench({ pingMs: 30 })
  const reader = join(audienceOf('nothing', () => false))
  await expect
    .poll(async () => {
      await publish(1, 1)
      return reader.connection.text().split('event: ping').length - 1
    })
    .toBeGreaterThan(2)
  expect(reader.queued()).toEqual([])
  reader.leave()
})

it('a reader that leaves during a send does not affect the others', async () => {
  const { publish, join, bus } = bench()
  const readers = [1, 2, 3].map(() => join(everything))
  await publish(1, 1)
  readers[1]?.leave()
  await settled()
  expect(readers.map((reader) => reader.queued())).toEqual([['1.1'], [], ['1.1']])
  expect(bus.subscribers()).toBe(2)
})
