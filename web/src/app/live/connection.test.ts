/**
 * When a lost connection is shown, when it is restored, and what is refetched (architecture.md,
 * flow 3).
 */
import type { Build } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { connection, live } from './connection.ts'
import type { TabMessage } from './tabs.ts'
import { FakeSource, sharedBrowser, stubPage } from './testing/browser.ts'
import { build, event, repo } from './testing/fixtures.ts'

let page: ReturnType<typeof stubPage>
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const start = () => live.start('ann', Date.now())
const startOpen = () => {
  start()
  FakeSource.last.says('open')
}
/** The number of refetches so far. */
const callCounts = { who: 0, shown: 0 }

beforeEach(() => {
  vi.useFakeTimers()
  // The longest wait.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  page = stubPage()
  Object.assign(callCounts, { who: 0, shown: 0 })
  vi.spyOn(queryClient, 'refetchQueries').mockImplementation(async () => void (callCounts.who += 1))
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async () => void (callCounts.shown += 1))
})
afterEach(() => {
  live.stop()
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a disconnection', () => {
  test('that ends soon is not shown', async () => {
    startOpen()
    expect([connection.get(), FakeSource.last.url]).toEqual(['live', '/api/stream'])
    await pass(5_000)
    FakeSource.last.says('error')
    expect(FakeSource.last.closed).toBe(true)
    await pass(499)
    expect(FakeSource.all).toHaveLength(1)
    await pass(1)
    expect(FakeSource.all).toHaveLength(2)
    FakeSource.last.says('open')
    await pass(10_000)
    expect(connection.get()).toBe('live')
  })

  test('is shown after 1.5 s, and its end for 3 s', async () => {
    startOpen()
    FakeSource.last.says('error')
    await pass(1_499)
    expect(connection.get()).toBe('live')
    await pass(1)
    expect(connection.get()).toBe('lost')
    FakeSource.last.says('open')
    expect(connection.get()).toBe('back')
    await pass(2_999)
    expect(connection.get()).toBe('back')
    await pass(1)
    expect(connection.get()).toBe('live')
  })

  test('waits for between half and all of the backoff, so that pages do not reconnect together', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    start()
    FakeSource.last.says('error')
    await pass(374)
    expect(FakeSource.all).toHaveLength(1)
    await pass(1)
    expect(FakeSource.all).toHaveLength(2)
  })

  test('reconnects with growing backoff up to a limit, and a short one after an open connection', async () => {
    start()
    /** Milliseconds until the next attempt after a disconnection. */
    const waitAfterCut = async (): Promise<number> => {
      FakeSource.last.says('error')
      const [since, count] = [Date.now(), FakeSource.all.length]
      while (FakeSource.all.length === count) await pass(100)
      return Date.now() - since
    }
    const waits: number[] = []
    for (let attempt = 0; attempt < 8; attempt++) waits.push(await waitAfterCut())
    const [first = 0, maxWaitMs = 0] = [waits[0], waits.at(-1)]
    expect(first).toBeLessThanOrEqual(1_000)
    expect(maxWaitMs).toBeLessThanOrEqual(10_000)
    expect(waits).toEqual(waits.map((_, index) => Math.min(first * 2 ** index, maxWaitMs)))
    FakeSource.last.says('open')
    await pass(100)
    expect(await waitAfterCut()).toBe(maxWaitMs)
    FakeSource.last.says('open')
    await pass(60_000)
    expect(await waitAfterCut()).toBe(first)
  })

  test('is assumed after 65 seconds of silence, and not before', async () => {
    startOpen()
    const [first] = FakeSource.all
    await pass(60_000)
    FakeSource.last.says('ping')
    await pass(60_000)
    FakeSource.last.sends('{}')
    await pass(64_999)
    expect(first?.closed).toBe(false)
    await pass(1)
    // A silent connection is closed, and a new one opened immediately.
    expect(first?.closed).toBe(true)
    expect(FakeSource.all).toHaveLength(2)
    FakeSource.last.says('open')
    await pass(64_999)
    expect(FakeSource.all).toHaveLength(2)
  })
})

describe('data that may have been missed', () => {
  test('is read again after a lost connection, once the user is known', async () => {
    startOpen()
    await pass(5_000)
    const before = { ...callCounts }
    FakeSource.last.says('error')
    await pass(500)
    expect(callCounts).toEqual(before)
    FakeSource.last.says('open')
    expect(callCounts).toEqual({ who: before.who + 1, shown: before.shown })
    await pass(0)
    expect(callCounts).toEqual({ who: before.who + 1, shown: before.shown + 1 })
  })
  test('is little at the first connection: only a running build is read again', async () => {
    startOpen()
    await pass(999)
    expect(callCounts).toEqual({ who: 0, shown: 0 })
    await pass(1)
    expect(callCounts).toEqual({ who: 0, shown: 1 })
  })
  test('is read again when the first connection took long', async () => {
    start()
    await pass(3_001)
    FakeSource.last.says('open')
    expect(callCounts.shown).toBe(1)
    await pass(2_000)
    expect(callCounts.shown).toBe(1)
  })
  test('a stream that cannot be opened reads the signed-in user once', async () => {
    start()
    for (let attempt = 0; attempt < 4; attempt++) {
      FakeSource.last.says('error')
      await pass(5_000)
    }
    expect(callCounts).toEqual({ who: 1, shown: 0 })
  })
})

test('events are merged, and invalid ones are ignored', async () => {
  const key = ['getBuild', 'acme', 'web', 2]
  queryClient.setQueryData(key, build(2, 'pending', 1))
  startOpen()
  // Merged by a timer, not in the next frame.
  Object.assign(document, { visibilityState: 'hidden' })
  for (const wrong of ['', 'null', '[]', '{}', '{"id":1}', '{', 'undefined']) FakeSource.last.sends(wrong)
  FakeSource.last.sends(event(repo(2, {}), build(2, 'running', 2)))
  await pass(500)
  expect(queryClient.getQueryData<Build>(key)?.status).toBe('running')
})

describe('a page that returns', () => {
  test('to view does not wait, and a hidden page keeps no connection', async () => {
    startOpen()
    page.show('hidden')
    expect(FakeSource.last.closed).toBe(true)
    await pass(100_000)
    expect(FakeSource.all).toHaveLength(1)
    page.show('visible')
    expect(FakeSource.all).toHaveLength(2)
    await pass(1_499)
    expect(connection.get()).toBe('live')
    await pass(1)
    expect(connection.get()).toBe('lost')
    page.show('visible')
    expect(FakeSource.all).toHaveLength(2)
  })
  test('to the network does not wait either', async () => {
    startOpen()
    FakeSource.last.says('error')
    await pass(10)
    page.goOnline()
    expect(FakeSource.all).toHaveLength(2)
    await pass(490)
    expect(FakeSource.all).toHaveLength(2)
  })
  test('a page that loads hidden waits until it is visible', () => {
    page.show('hidden')
    start()
    expect(FakeSource.all).toHaveLength(0)
    page.show('visible')
    expect(FakeSource.all).toHaveLength(1)
  })
})

describe('stopping', () => {
  test('cleans up', async () => {
    startOpen()
    start()
    expect(FakeSource.all).toHaveLength(1)
    live.stop()
    expect([connection.get(), FakeSource.last.closed, vi.getTimerCount()]).toEqual(['off', true, 0])
    page.goOnline()
    page.show('hidden')
    page.show('visible')
    await pass(100_000)
    expect(FakeSource.all).toHaveLength(1)
  })
  test('allows a new start for the next person', async () => {
    start()
    for (let attempt = 0; attempt < 3; attempt++) {
      FakeSource.last.says('error')
      await pass(5_000)
    }
    live.stop()
    Object.assign(callCounts, { who: 0, shown: 0 })
    startOpen()
    await pass(500)
    expect([connection.get(), callCounts.who, callCounts.shown]).toEqual(['live', 0, 0])
    FakeSource.last.says('error')
    const count = FakeSource.all.length
    await pass(500)
    expect(FakeSource.all).toHaveLength(count + 1)
  })
})

describe('tabs of one browser', () => {
  const name = 'flightdeck-live ann'
  let posted: TabMessage[]
  let peer: { postMessage(word: TabMessage): void }
  let release: () => void
  /** A second tab of the same person, which is the leader if it `leads`. */
  const share = ({ leads }: { leads: boolean }) => {
    const browser = sharedBrowser()
    vi.stubGlobal('navigator', { locks: browser.locks })
    vi.stubGlobal('BroadcastChannel', browser.Channel)
    const channel = new browser.Channel(name)
    posted = []
    channel.addEventListener('message', (message) => posted.push((message as MessageEvent<TabMessage>).data))
    peer = channel
    const heldLock = new Promise<void>((resolve) => (release = resolve))
    const { signal } = new AbortController()
    if (leads) void browser.locks.request(name, { signal }, () => heldLock)
  }
  const kinds = () => posted.map(({ kind }) => kind)

  test('the leader forwards its events to the others', async () => {
    share({ leads: false })
    start()
    await pass(0)
    expect(FakeSource.all).toHaveLength(1)
    peer.postMessage({ kind: 'hello' })
    FakeSource.last.says('open')
    peer.postMessage({ kind: 'hello' })
    FakeSource.last.sends('any text')
    FakeSource.last.says('error')
    expect(kinds()).toEqual(['hello', 'cut', 'opened', 'standing', 'message', 'cut'])
    expect(posted[4]).toEqual({ kind: 'message', data: 'any text' })
  })
  test('a new tab gets the events of the last five seconds', async () => {
    share({ leads: false })
    start()
    await pass(0)
    FakeSource.last.says('open')
    FakeSource.last.sends('long ago')
    await pass(5_000)
    FakeSource.last.sends('just now')
    peer.postMessage({ kind: 'hello' })
    const texts = posted.flatMap((word) => (word.kind === 'message' ? [word.data] : []))
    expect(texts).toEqual(['long ago', 'just now', 'just now'])
  })
  test('the leader connects at once when another tab becomes visible, and stays connected while hidden', async () => {
    share({ leads: false })
    start()
    await pass(0)
    FakeSource.last.says('open')
    peer.postMessage({ kind: 'hurry' })
    page.show('hidden')
    expect([FakeSource.all.length, FakeSource.last.closed]).toEqual([1, false])
    FakeSource.last.says('error')
    peer.postMessage({ kind: 'cut' })
    peer.postMessage({ kind: 'hurry' })
    expect(FakeSource.all).toHaveLength(2)
  })

  test('the others follow, without a connection', async () => {
    share({ leads: true })
    start()
    await pass(0)
    peer.postMessage({ kind: 'hello' })
    peer.postMessage({ kind: 'hurry' })
    expect([connection.get(), kinds()]).toEqual(['off', ['hello']])
    peer.postMessage({ kind: 'standing' })
    expect(connection.get()).toBe('live')
    const key = ['getBuild', 'acme', 'web', 2]
    queryClient.setQueryData(key, build(2, 'pending', 1))
    Object.assign(document, { visibilityState: 'hidden' })
    peer.postMessage({ kind: 'message', data: JSON.stringify(event(repo(2, {}), build(2, 'running', 2))) })
    await pass(500)
    expect(queryClient.getQueryData<Build>(key)?.status).toBe('running')
    // `standing` changes nothing for a tab that is connected; `opened` does.
    peer.postMessage({ kind: 'standing' })
    expect(callCounts.who).toBe(0)
    peer.postMessage({ kind: 'opened' })
    expect(callCounts.who).toBe(1)
    expect(FakeSource.all).toHaveLength(0)
  })
  test('a lost connection is shown in all tabs, and a tab that becomes visible makes the leader reconnect', async () => {
    share({ leads: true })
    start()
    peer.postMessage({ kind: 'opened' })
    page.show('visible')
    peer.postMessage({ kind: 'cut' })
    await pass(1_499)
    expect(connection.get()).toBe('live')
    await pass(1)
    expect([connection.get(), kinds()]).toEqual(['lost', ['hello']])
    page.show('visible')
    expect(kinds()).toEqual(['hello', 'hurry'])
    // A hidden leader may be suspended.
    await pass(3_500)
    expect(kinds()).toEqual(['hello', 'hurry', 'hurry'])
    peer.postMessage({ kind: 'opened' })
    expect(connection.get()).toBe('back')
    await pass(3_000)
    expect(connection.get()).toBe('live')
  })
  test('the next tab becomes the leader when the leader closes', async () => {
    share({ leads: true })
    start()
    await pass(0)
    page.show('hidden')
    expect(FakeSource.all).toHaveLength(0)
    release()
    await pass(0)
    expect(FakeSource.all).toHaveLength(1)
  })
})
