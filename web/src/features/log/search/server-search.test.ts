import type { Query, SearchMessage } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { serverSearch } from './server-search.ts'

const query: Query = { text: 'needle', matchCase: false, word: true, pattern: false }
const build = { number: 7, branch: 'main', event: 'push', created: 1, author: 'ada' }
const messages: SearchMessage[] = [
  { type: 'begin', builds: 1 },
  {
    type: 'found',
    build,
    stage: { number: 1, name: 'unit' },
    step: { number: 2, name: 'test', started: 5 },
    count: 0,
    hits: [],
  },
  { type: 'searched', build: 7, unread: 1 },
  { type: 'end' },
]

async function searched(only?: number) {
  const paths: string[] = []
  const search = serverSearch(
    { namespace: 'acme', name: 'web', ...(only !== undefined && { build: only }) },
    {
      fetch: async (url) => {
        paths.push(url)
        return new Response(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
      },
    },
  )
  const over = new Promise<void>((resolve) => search.subscribe(() => search.getSnapshot().over && resolve()))
  search.look(query, [])
  await over
  return { state: search.getSnapshot(), paths }
}

test('a search in all builds includes the build of each step', async () => {
  const { state, paths } = await searched()
  expect(paths).toEqual(['/api/repos/acme/web/search?text=needle&word=true'])
  expect(state.found.map(({ label, address, build: of }) => [label, address.build, of])).toEqual([
    ['unit / test', 7, build],
  ])
  expect(state).toMatchObject({ of: 'builds', total: 1, done: 1, unread: 1, oldest: 7, error: undefined })
})

test('a search in one build omits the build', async () => {
  const { state, paths } = await searched(7)
  expect(paths).toEqual(['/api/repos/acme/web/search?text=needle&build=7&word=true'])
  expect(state.found).toHaveLength(1)
  expect(state.found[0]).not.toHaveProperty('build')
  expect(state.of).toBe('steps')
})
