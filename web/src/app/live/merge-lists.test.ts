import type { LastBuild, RepoWithBuild, Status } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { build, repo, event, other, only, mergeEvents, type Cache, type Entry } from './testing/fixtures.ts'

describe('the list of repositories', () => {
  it('is the same object when the event is about a different repository', () => {
    const cache: Cache = [{ endpoint: 'listRepos', data: [other] }]
    expect(mergeEvents(cache, [event(repo(9), build(1, 'running', 1))])).toBe(cache)
  })

  it('is the same object when nothing changes', () => {
    const cache: Cache = [{ endpoint: 'listRepos', data: [repo(2, { build: build(1, 'running', 1) })] }]
    expect(mergeEvents(cache, [event(repo(2), build(1, 'running', 1))])).toBe(cache)
  })

  it('does not return to an older build', () => {
    const known: Entry = { endpoint: 'listRepos', data: [repo(2, { build: build(6, 'pending', 1) })] }
    expect(only(known, event(repo(2), build(5, 'success', 9))).data[0]?.build?.number).toBe(6)
  })

  it('finds a name such as __proto__', () => {
    const odd = repo(1, { namespace: '__proto__', name: 'constructor', slug: '__proto__/constructor' })
    const merged = only({ endpoint: 'listRepos', data: [odd] }, event(odd, build(1, 'running', 1)))
    expect(merged.data[0]?.build?.number).toBe(1)
  })
})

describe('the recent builds', () => {
  const item = (number: number, status: Status, version = 1): RepoWithBuild => ({
    ...repo(1),
    build: build(number, status, version),
  })
  const numbers = (entry: Extract<Entry, { endpoint: 'listRecent' }>) => entry.data.map((item) => item.build.number)
  const known: Extract<Entry, { endpoint: 'listRecent' }> = {
    endpoint: 'listRecent',
    data: [item(3, 'pending'), item(2, 'running')],
  }

  it('change in place', () => {
    const merged = only(known, event(repo(1), build(3, 'running', 2)))
    expect(merged.data.map((item) => item.build.status)).toEqual(['running', 'running'])
  })

  it('lose a finished one', () => {
    expect(numbers(only(known, event(repo(1), build(2, 'success', 3, { finished: 9 }))))).toEqual([3])
  })

  it('lose a declined one', () => {
    expect(numbers(only(known, event(repo(1), build(3, 'declined', 3))))).toEqual([2])
  })

  it('keep one despite an outdated end event', () => {
    const restarted: typeof known = { ...known, data: [item(2, 'running', 7)] }
    expect(numbers(only(restarted, event(repo(1), build(2, 'killed', 6, { finished: 9 }))))).toEqual([2])
  })

  it('gain a new build of a listed repository, in order of age', () => {
    expect(numbers(only(known, event(repo(1), build(4, 'pending', 1))))).toEqual([4, 3, 2])
  })

  it('do not gain a finished build', () => {
    expect(numbers(only(known, event(repo(1), build(4, 'success', 3, { finished: 9 }))))).toEqual([3, 2])
  })

  it('do not gain a build of a repository that is not listed', () => {
    expect(only(known, event(other, build(9, 'running', 1)))).toBe(known)
  })

  it('gain a build of a repository in the list of repositories', () => {
    const cache: Cache = [known, { endpoint: 'listRepos', data: [other] }]
    const [recent] = mergeEvents(cache, [event(other, build(9, 'running', 1))])
    expect(recent?.endpoint === 'listRecent' && numbers(recent)).toEqual([9, 3, 2])
  })
})

describe('the list of builds', () => {
  const list = (full: boolean, ...pages: number[][]): Extract<Entry, { endpoint: 'listBuilds' }> => ({
    endpoint: 'listBuilds',
    namespace: 'acme',
    name: 'web',
    data: pages.map((numbers) => ({ builds: numbers.map((number) => build(number, 'success', 1)), full })),
  })
  const numbers = (entry: Extract<Entry, { endpoint: 'listBuilds' }>) =>
    entry.data.map((page) => page.builds.map(({ number }) => number))

  it('puts a new build first', () => {
    expect(numbers(only(list(true, [9, 8], [7, 6]), event(repo(1), build(10, 'pending', 1))))).toEqual([
      [10, 9, 8],
      [7, 6],
    ])
  })

  it('inserts a late build in order', () => {
    expect(numbers(only(list(true, [9, 7], [5]), event(repo(1), build(8, 'running', 1))))).toEqual([[9, 8, 7], [5]])
  })

  it('leaves a build that belongs to a later page to that page', () => {
    const known = list(true, [9, 8])
    expect(only(known, event(repo(1), build(3, 'running', 1)))).toBe(known)
  })

  it('takes the first build of an empty list', () => {
    expect(numbers(only(list(false, []), event(repo(1), build(1, 'pending', 1))))).toEqual([[1]])
  })

  it('changes a build on any page and keeps the others', () => {
    const known = list(true, [9, 8], [7, 6])
    const merged = only(known, event(repo(1), build(6, 'killed', 2)))
    expect(merged.data[0]).toBe(known.data[0])
    expect(merged.data[1]?.builds[0]).toBe(known.data[1]?.builds[0])
    expect(merged.data[1]?.builds[1]?.status).toBe('killed')
  })

  it('of another repository stays the same', () => {
    const known = list(true, [9])
    expect(only(known, event(other, build(10, 'pending', 1)))).toBe(known)
  })
})

describe('the newest build of branches and deployments', () => {
  const of = { namespace: 'acme', name: 'web' }

  it('adds a new branch, replaces an older build, ignores other events', () => {
    const known: Entry = { endpoint: 'listBranches', ...of, data: [build(1, 'success', 1)] }
    const added = only(known, event(repo(1), build(2, 'running', 1, { target: 'next' })))
    expect(added.data.map(({ target }) => target)).toEqual(['next', 'main'])
    expect(only(known, event(repo(1), build(2, 'running', 1, { event: 'cron' })))).toBe(known)
  })

  it('uses the target of a promotion or rollback', () => {
    const promoted = build(1, 'success', 1, { event: 'promote', deploy_to: 'production' })
    const known: Entry = { endpoint: 'listDeployments', ...of, data: [promoted] }
    const rolledBack = build(5, 'running', 1, { event: 'rollback', deploy_to: 'production' })
    expect(only(known, event(repo(1), rolledBack)).data).toEqual([rolledBack])
    expect(only(known, event(repo(1), build(6, 'running', 1)))).toBe(known)
  })

  it('is found by the number of a pull request, whatever the ref format of its forge', () => {
    const pull = (number: number, ref: string) => build(number, 'running', 1, { event: 'pull_request', ref })
    const known: Entry = { endpoint: 'listPulls', ...of, data: [pull(1, 'refs/pull/7/head')] }
    const next = pull(2, 'refs/pull/7/merge')
    expect(only(known, event(repo(1), next)).data).toEqual([next])
    const other = pull(3, 'refs/merge-requests/8/head')
    expect(only(known, event(repo(1), other)).data).toEqual([other, ...known.data])
    expect(only(known, event(repo(1), build(6, 'running', 1)))).toBe(known)
  })
})

describe('the last builds of a repository', () => {
  const last = (number: number, status: Status, version = 1): LastBuild => {
    const { message, target, created, started, finished } = build(number, status, version)
    return { number, version, status, message, target, created, started, finished }
  }
  const known: Extract<Entry, { endpoint: 'listLastBuilds' }> = {
    endpoint: 'listLastBuilds',
    namespace: 'acme',
    name: 'web',
    data: [last(7, 'running', 2), last(6, 'running', 2), last(5, 'success')],
  }
  const shown = (entry: typeof known) => entry.data.map(({ number, status }) => `${number} ${status}`)

  it('gain a new build, and change in place', () => {
    expect(shown(only(known, event(repo(1), build(8, 'pending', 1))))).toEqual([
      '8 pending',
      '7 running',
      '6 running',
      '5 success',
    ])
    expect(shown(only(known, event(repo(1), build(6, 'failure', 3))))).toEqual(['7 running', '6 failure', '5 success'])
  })

  it('ignore an older build, an outdated event and a different repository', () => {
    expect(only(known, event(repo(1), build(2, 'failure', 9)))).toBe(known)
    expect(only(known, event(repo(1), build(6, 'pending', 1)))).toBe(known)
    expect(only(known, event(other, build(8, 'pending', 1)))).toBe(known)
  })
})
