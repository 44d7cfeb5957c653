/** How a response and events that arrive while it is pending are combined. */
import type { Build, RepoWithBuild } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { queryClient } from '../../api/query-client.ts'
import { createInbox } from './inbox.ts'
import { build, event, repo } from './testing/fixtures.ts'

const key = ['getBuild', 'acme', 'web', 2]
let inbox: ReturnType<typeof createInbox>

beforeEach(() => {
  vi.useFakeTimers()
  // A hidden page renders no frames, so events are merged by a timer.
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  inbox = createInbox()
  inbox.open()
})
afterEach(() => {
  inbox.close()
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const known = () => queryClient.getQueryData<Build>(key)?.status
/** A query whose response the test supplies. */
const read = () => {
  let answer = (_build: Build): void => undefined
  const response = new Promise<Build>((resolve) => (answer = resolve))
  const done = queryClient.fetchQuery({ queryKey: key, queryFn: () => response })
  return async (value: Build) => {
    answer(value)
    await done
    await vi.advanceTimersByTimeAsync(0)
  }
}
const notify = async (status: Build['status'], version: number) => {
  inbox.add(event(repo(2, {}), build(2, status, version)))
  await vi.advanceTimersByTimeAsync(1_000)
}

test('an answer that is older than an event does not overwrite it', async () => {
  const answer = read()
  await notify('failure', 3)
  await answer(build(2, 'running', 2))
  expect(known()).toBe('failure')
})

test('the same applies to a repeated read, and to one that started before the inbox', async () => {
  inbox.close()
  const first = read()
  inbox.open()
  await notify('running', 2)
  await first(build(2, 'pending', 1))
  expect(known()).toBe('running')
  const second = read()
  await notify('failure', 3)
  await second(build(2, 'running', 2))
  expect(known()).toBe('failure')
})

test('events from before a read are not applied to its response', async () => {
  await notify('failure', 3)
  const answer = read()
  // For example after restoring a backup: the server's response counts.
  await answer(build(2, 'running', 2))
  expect(known()).toBe('running')
})

test('an event that cannot be merged does not affect others', async () => {
  await read()(build(2, 'running', 2))
  inbox.add({ ...event(repo(2, {}), build(2, 'success', 3)), build: { ...build(2, 'success', 3), stages: 5 as never } })
  await notify('failure', 4)
  expect(known()).toBe('failure')
})

test('a closed inbox leaves no timer behind', () => {
  inbox.add(event(repo(2, {}), build(2, 'failure', 3)))
  inbox.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a build that was reported while the recent ones were loading is among them', async () => {
  const recent = ['listRecent']
  queryClient.setQueryData(['listRepos'], [repo(1)])
  let answer = (_list: RepoWithBuild[]): void => undefined
  const response = new Promise<RepoWithBuild[]>((resolve) => (answer = resolve))
  const done = queryClient.fetchQuery({ queryKey: recent, queryFn: () => response })
  await notify('running', 1)
  answer([])
  await done
  await vi.advanceTimersByTimeAsync(0)
  expect(queryClient.getQueryData<RepoWithBuild[]>(recent)?.map(({ build: { number } }) => number)).toEqual([2])
})
