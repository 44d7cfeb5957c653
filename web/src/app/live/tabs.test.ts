import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { joinTabs, type TabMessage } from './tabs.ts'
import { sharedBrowser } from './testing/browser.ts'

let browser: ReturnType<typeof sharedBrowser>
beforeEach(() => {
  browser = sharedBrowser()
  vi.stubGlobal('navigator', { locks: browser.locks })
  vi.stubGlobal('BroadcastChannel', browser.Channel)
})
afterEach(() => vi.unstubAllGlobals())

const soon = () => new Promise((resolve) => setImmediate(resolve))
const tab = (person: string) => {
  const state = { leads: 0, heard: [] as TabMessage[] }
  const tabs = joinTabs(person, { onLead: () => (state.leads += 1), onMessage: (word) => state.heard.push(word) })
  if (!tabs) throw new Error('tabs cannot share')
  return { ...tabs, state }
}

test('one tab leads, and the next one after it closes', async () => {
  const [first, second, third] = [tab('ann'), tab('ann'), tab('ann')]
  await soon()
  expect([first, second, third].map(({ state }) => state.leads)).toEqual([1, 0, 0])
  second.leave()
  first.leave()
  await soon()
  expect([first, second, third].map(({ state }) => state.leads)).toEqual([1, 0, 1])
})

test('messages reach the other tabs of the same person, and no others', async () => {
  const [first, second, other] = [tab('ann'), tab('ann'), tab('bob')]
  await soon()
  expect(other.state.leads).toBe(1)
  first.post({ kind: 'message', data: 'x' })
  expect([first, second, other].map(({ state }) => state.heard)).toEqual([[], [{ kind: 'message', data: 'x' }], []])
  second.leave()
  first.post({ kind: 'cut' })
  second.post({ kind: 'hurry' })
  expect([first, second].map(({ state }) => state.heard.length)).toEqual([0, 1])
  expect(browser.channels.size).toBe(2)
})

test('invalid messages are ignored', () => {
  const first = tab('ann')
  const channel = new browser.Channel('flightdeck-live ann')
  for (const data of [null, undefined, 'opened', 3, {}]) channel.postMessage(data)
  expect(first.state.heard).toEqual([])
  channel.postMessage({ kind: 'opened' })
  expect(first.state.heard).toEqual([{ kind: 'opened' }])
})

test('each tab is its own leader if the lock is refused', async () => {
  const refused = () => Promise.reject(new DOMException('no storage', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request: refused } })
  const [first, second] = [tab('ann'), tab('ann')]
  await soon()
  expect([first.state.leads, second.state.leads]).toEqual([1, 1])
  const third = tab('ann')
  third.leave()
  await soon()
  expect(third.state.leads).toBe(0)
})

test('nothing is shared if the browser cannot share, or refuses', () => {
  const nothing = { onLead: () => undefined, onMessage: () => undefined }
  vi.stubGlobal('navigator', { locks: {} })
  expect(joinTabs('ann', nothing)).toBeUndefined()
  vi.stubGlobal('navigator', {})
  expect(joinTabs('ann', nothing)).toBeUndefined()
  vi.stubGlobal('navigator', { locks: browser.locks })
  vi.stubGlobal('BroadcastChannel', function refuse() {
    throw new DOMException('no storage', 'SecurityError')
  })
  expect(joinTabs('ann', nothing)).toBeUndefined()
})
