import { expect, test } from 'vitest'
import type { RepoWithBuild } from '@flightdeck/api'
import { createEventBus } from './bus.ts'
import type { BuildEventMessage } from './types.ts'

const repo = { id: 7, slug: 'acme/web', visibility: 'private', build: { number: 1 } } as RepoWithBuild

test('every subscriber gets the same text until it leaves', () => {
  const bus = createEventBus()
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
  expect(first[0]).toEqual({ repoId: 7, slug: 'acme/web', visibility: 'private', json: JSON.stringify(repo) })
})
