import type { Build, Repo } from '@flightdeck/api'
import { beforeEach, expect, test } from 'vitest'

import type { Key } from './keys.ts'
import { anyRuns, knownBuilds } from './known-builds.ts'
import { queryClient } from './query-client.ts'

const hello = { namespace: 'octocat', name: 'hello' }
const build = (over: Partial<Build>) => ({ number: 42, status: 'running', version: 3, ...over }) as Build
const know = (key: Key, data: unknown) => void queryClient.setQueryData(key, data)
const pages = (...builds: Build[]) => ({ pages: [{ builds, full: false }], pageParams: [1] })
const repo = (name: string, of: Build) => ({ namespace: 'octocat', name, build: of }) as Repo

beforeEach(() => queryClient.clear())

test.each<[Key, unknown]>([
  [['getBuild', 'octocat', 'hello', 42], build({})],
  [['listBuilds', 'octocat', 'hello'], pages(build({}))],
  [['listBranchBuilds', 'octocat', 'hello', 'main'], pages(build({}))],
  [['listCommitBuilds', 'octocat', 'hello', '7fd1a60b'], [build({})]],
  [['listBranches', 'octocat', 'hello'], [build({})]],
  [['listDeployments', 'octocat', 'hello'], [build({})]],
  [['listPulls', 'octocat', 'hello'], [build({})]],
  [['listRepos'], [repo('hello', build({}))]],
  [['listRecent'], [repo('hello', build({}))]],
  [['listTop'], { repos: [repo('hello', build({}))] }],
])('a running build is known from %j, to its own repository only', (key, data) => {
  expect(anyRuns(hello)).toBe(false)
  know(key, data)
  expect(anyRuns(hello)).toBe(true)
  expect(anyRuns({ namespace: 'octocat', name: 'other' })).toBe(false)
  expect(knownBuilds()).toEqual([{ ...hello, build: build({}) }])
})

test('an old copy that says "running" does not outlast a newer one, wherever they are', () => {
  know(['listBranches', 'octocat', 'hello'], [build({ version: 4, status: 'killed' })])
  know(['getBuild', 'octocat', 'hello', 42], build({ version: 3 }))
  expect(anyRuns(hello)).toBe(false)
  know(['listRecent'], [repo('hello', build({ version: 5 }))])
  expect(anyRuns(hello)).toBe(true)
  know(['getBuild', 'octocat', 'hello', 42], build({ version: 6, status: 'success' }))
  expect(anyRuns(hello)).toBe(false)
})

test('a running build is not hidden by one that has ended', () => {
  know(['listBuilds', 'octocat', 'hello'], pages(build({ number: 43, version: 9, status: 'success' }), build({})))
  expect(anyRuns(hello)).toBe(true)
})
