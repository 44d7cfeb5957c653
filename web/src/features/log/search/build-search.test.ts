import { expect, test } from 'vitest'

import type { Query } from '../engine/query.ts'
import { BuildSearchHost } from '../engine/build-search-host.ts'
import { BuildSearch, type BuildSearchEnvironment } from './build-search.ts'
import type { SearchedStep } from './searched-steps.ts'

const plain: Query = { text: 'needle', matchCase: false, word: false, pattern: false }
const row = (pos: number, out: string) => ({ pos, out, time: 0 })
const steps: SearchedStep[] = [1, 2, 3].map((step) => ({
  address: { namespace: 'a', name: 'b', build: 7, stage: 1, step },
  label: `unit / step ${step}`,
  started: 0,
}))

const logs: Record<string, unknown[]> = {
  '1': [row(0, 'hay\n'), row(1, 'a \u001b[31mNee\u001b[0mdle in hay\n')],
  '3': Array.from({ length: 20 }, (_, pos) => row(pos, `needle ${pos}\n`)),
}

/** The second step has no log. `hangs`: the worker never responds to a search. */
const start = ({ hangs = false } = {}) => {
  const asked: string[] = []
  let fire = (): void => undefined
  let started = 0
  let stopped = 0
  const environment: BuildSearchEnvironment = {
    startBuildSearch: (answer) => {
      const host = new BuildSearchHost(answer)
      started++
      return {
        post: (message) => {
          if (!hangs || message.type !== 'search') queueMicrotask(() => host.handle(message))
        },
        stop: () => stopped++,
      }
    },
    fetch: async (url) => {
      const step = /\d+$/.exec(url)?.[0] ?? ''
      asked.push(step)
      const log = logs[step]
      return log ? new Response(JSON.stringify(log)) : new Response('{"message":"Not Found"}', { status: 404 })
    },
    later: (_milliseconds, action) => {
      fire = action
      return () => (fire = () => undefined)
    },
  }
  const search = new BuildSearch(environment)
  const done = () => expect.poll(() => search.getSnapshot().done, { interval: 1 }).toBe(search.getSnapshot().total)
  return { search, asked, done, fire: () => fire(), started: () => started, stopped: () => stopped }
}

test('searches all steps, and counts those that could not be read', async () => {
  const { search, done } = start()
  search.search(steps, plain)
  await done()
  const { found, unread, error } = search.getSnapshot()
  expect({ unread, error }).toEqual({ unread: 1, error: undefined })
  expect(found.map(({ step, hits }) => [step.label, hits.count, hits.hits.length])).toEqual([
    ['unit / step 1', 1, 1],
    ['unit / step 3', 20, 5],
  ])
  expect(found[0]?.hits.hits).toEqual([
    { number: 2, column: 2, before: 'a ', text: 'Needle', after: ' in hay', time: 0, previous: { time: 0 } },
  ])
})

test('a new text is searched in the loaded logs', async () => {
  const { search, asked, done } = start()
  search.search(steps, plain)
  await done()
  search.search(steps, { ...plain, text: 'hay' })
  await done()
  expect(search.getSnapshot().found.map(({ hits }) => hits.count)).toEqual([2])
  // Only logs that failed to load are requested again.
  expect(asked).toEqual(['1', '2', '3', '2'])
})

test('the same worker reads the logs of another build, after discarding those of the first', async () => {
  const { search, asked, done, started, stopped } = start()
  search.search(steps, plain)
  await done()
  search.forget()
  search.search(steps, plain)
  await done()
  expect(search.getSnapshot().found.map(({ hits }) => hits.count)).toEqual([1, 20])
  expect(asked).toEqual(['1', '2', '3', '1', '2', '3'])
  expect([started(), stopped()]).toEqual([1, 0])
})

test('the last text counts, however quickly it is typed', async () => {
  const { search, done } = start()
  for (const text of ['n', 'ne', 'nee', 'hay']) search.search(steps, { ...plain, text })
  await done()
  expect(search.getSnapshot().found.map(({ hits }) => hits.count)).toEqual([2])
})

test('a pattern without heartbeats is stopped, and the next search works again', async () => {
  const { search, fire, stopped, done } = start({ hangs: true })
  search.search(steps, { ...plain, text: '(a+)+$', pattern: true })
  await expect
    .poll(
      () => {
        fire()
        return search.getSnapshot().error
      },
      { interval: 1 },
    )
    .toBe('This pattern is too slow and was stopped')
  await done()
  expect(stopped()).toBe(1)
})

test('an invalid pattern reports the reason', async () => {
  const { search } = start()
  search.search(steps, { ...plain, text: '(', pattern: true })
  await expect
    .poll(() => search.getSnapshot().error, { interval: 1 })
    .toBe('The pattern is not valid: a “(” has no “)”')
})

test('a failed search is reported, and the next one works', async () => {
  let broken = true
  const search = new BuildSearch({
    startBuildSearch: (answer) => {
      const host = new BuildSearchHost(answer)
      return {
        post: (message) => {
          if (broken && message.type === 'search') throw new Error('the worker is gone')
          queueMicrotask(() => host.handle(message))
        },
        stop: () => undefined,
      }
    },
    fetch: async () => new Response(JSON.stringify(logs['1'])),
    later: () => () => undefined,
  })
  search.search(steps, plain)
  await expect.poll(() => search.getSnapshot().error, { interval: 1 }).toBe('the worker is gone')
  broken = false
  search.search(steps, { ...plain, text: 'hay' })
  await expect.poll(() => search.getSnapshot().found.length, { interval: 1 }).toBe(3)
})
