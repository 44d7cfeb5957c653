import type { Build, Repo, RepoWithBuild, Stage, Status, Step } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { mergeEvent, type BuildEventMessage, type Cache, type Entry } from './merge.ts'

const step = (number: number, status: Status, version: number): Step => ({
  id: 500 + number,
  step_id: 140,
  number,
  name: `step-${number}`,
  status,
  exit_code: 0,
  version,
})

const stage = (number: number, status: Status, version: number, steps?: Step[]): Stage => ({
  id: 140 + number,
  repo_id: 7,
  build_id: 90,
  number,
  name: `stage-${number}`,
  status,
  errignore: false,
  exit_code: 0,
  os: 'linux',
  arch: 'amd64',
  started: 0,
  stopped: 0,
  created: 1,
  updated: 1,
  version,
  on_success: true,
  on_failure: false,
  ...(steps && { steps }),
})

const build = (number: number, status: Status, version: number, more: Partial<Build> = {}): Build => ({
  id: 90 + number,
  repo_id: 7,
  trigger: '@hook',
  number,
  status,
  event: 'push',
  action: '',
  link: '',
  timestamp: 0,
  message: 'fix',
  before: '',
  after: 'b0b0b0b0',
  ref: 'refs/heads/main',
  source_repo: '',
  source: 'main',
  target: 'main',
  author_login: 'ann',
  author_name: 'Ann',
  author_email: '',
  author_avatar: '',
  sender: 'ann',
  started: 0,
  finished: 0,
  created: 1_000 + number,
  updated: 1_000,
  version,
  ...more,
})

const permissions = { read: true, write: true, admin: false }

const repo = (version: number, more: Partial<Repo> = {}): Repo => ({
  id: 7,
  uid: '55',
  user_id: 2,
  namespace: 'acme',
  name: 'web',
  slug: 'acme/web',
  scm: '',
  git_http_url: '',
  git_ssh_url: '',
  link: '',
  default_branch: 'main',
  private: true,
  visibility: 'private',
  active: true,
  config_path: '.drone.yml',
  trusted: false,
  protected: false,
  ignore_forks: false,
  ignore_pull_requests: false,
  auto_cancel_pull_requests: false,
  auto_cancel_pushes: false,
  auto_cancel_running: false,
  timeout: 60,
  counter: 1,
  synced: 0,
  created: 0,
  updated: 0,
  version,
  archived: false,
  ...more,
})

const event = (of: Repo, changed: Build): BuildEventMessage => ({ ...of, build: changed })
const other = repo(1, { id: 8, namespace: 'acme', name: 'api', slug: 'acme/api', build: build(4, 'success', 9) })

/** The one entry of a cache that was merged into. */
const only = <E extends Entry>(entry: E, ...events: BuildEventMessage[]): E =>
  events.reduce<Cache>(mergeEvent, [entry])[0] as E

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

/** The life of build 2 as the server tells it: each event with all that is known at that moment. */
const life: BuildEventMessage[] = [
  event(repo(2, { counter: 2 }), build(2, 'pending', 1, { stages: [stage(1, 'pending', 1)] })),
  event(
    repo(2, { counter: 2 }),
    build(2, 'running', 2, {
      started: 10,
      stages: [stage(1, 'running', 2, [step(1, 'running', 2), step(2, 'pending', 1)]), stage(2, 'pending', 1)],
    }),
  ),
  event(
    repo(2, { counter: 2 }),
    build(2, 'running', 2, {
      started: 10,
      stages: [stage(1, 'running', 2, [step(1, 'success', 3), step(2, 'running', 2)]), stage(2, 'running', 2)],
    }),
  ),
  event(
    repo(3, { counter: 2, active: true, timeout: 90 }),
    build(2, 'failure', 3, {
      started: 10,
      finished: 20,
      stages: [
        stage(1, 'failure', 3, [step(1, 'success', 3), step(2, 'failure', 3)]),
        stage(2, 'success', 3, [step(1, 'success', 3)]),
      ],
    }),
  ),
]
const end = life.at(-1)?.build
const orders = permutations(life)

describe('every order of arrival ends in the same truth', () => {
  it.each(orders.map((order) => [order.map((one) => life.indexOf(one)).join(' '), order] as const))(
    '%s',
    (_, order) => {
      const details: Entry = {
        endpoint: 'getBuild',
        namespace: 'acme',
        name: 'web',
        number: 2,
        data: build(2, 'pending', 1),
      }
      expect(only(details, ...order).data).toEqual(end)

      const repos = only({ endpoint: 'listRepos', data: [other, repo(1, { build: build(1, 'success', 5) })] }, ...order)
      expect(repos.data[0]).toBe(other)
      expect(repos.data[1]).toEqual({ ...repo(3, { counter: 2, timeout: 90 }), build: end })

      const single = only(
        { endpoint: 'getRepo', namespace: 'acme', name: 'web', data: repo(1, { permissions }) },
        ...order,
      )
      expect(single.data).toEqual(repo(3, { counter: 2, timeout: 90, permissions }))

      const pages = [{ builds: [build(1, 'success', 5)], full: false }]
      const list = only({ endpoint: 'listBuilds', namespace: 'acme', name: 'web', data: pages }, ...order)
      expect(list.data[0]?.builds.map(({ number, status }) => [number, status])).toEqual([
        [2, 'failure'],
        [1, 'success'],
      ])

      const branches = only(
        { endpoint: 'listBranches', namespace: 'acme', name: 'web', data: [build(1, 'success', 5)] },
        ...order,
      )
      expect(branches.data).toEqual([end])
    },
  )
})

describe('versions', () => {
  const known: Entry = {
    endpoint: 'getBuild',
    namespace: 'acme',
    name: 'web',
    number: 2,
    data: build(2, 'running', 5, { stages: [stage(1, 'running', 5, [step(1, 'running', 5)])] }),
  }

  it('replaces with an equal one', () => {
    expect(only(known, event(repo(1), build(2, 'killed', 5))).data.status).toBe('killed')
  })

  it('ignores a lower one', () => {
    expect(only(known, event(repo(1), build(2, 'pending', 4))).data.status).toBe('running')
  })

  it('compares build, stage and step each by its own', () => {
    const old = build(2, 'pending', 4, { stages: [stage(1, 'success', 6, [step(1, 'pending', 4)])] })
    const merged = only(known, event(repo(1), old)).data
    expect([merged.status, merged.stages?.[0]?.status, merged.stages?.[0]?.steps?.[0]?.status]).toEqual([
      'running',
      'success',
      'running',
    ])
  })

  it('takes a newer step of an older stage', () => {
    const mixed = build(2, 'running', 5, { stages: [stage(1, 'pending', 4, [step(1, 'success', 6)])] })
    const merged = only(known, event(repo(1), mixed)).data
    expect([merged.stages?.[0]?.status, merged.stages?.[0]?.steps?.[0]?.status]).toEqual(['running', 'success'])
  })

  it('believes an event without versions', () => {
    const { version: _, ...unversioned } = build(2, 'success', 1)
    const message = { namespace: 'acme', name: 'web', build: unversioned as Build }
    expect(only(known, message).data.status).toBe('success')
  })

  it('takes repository and build apart', () => {
    const list: Entry = { endpoint: 'listRepos', data: [repo(5, { timeout: 60, build: build(2, 'running', 2) })] }
    const merged = only(list, event(repo(4, { timeout: 15 }), build(2, 'success', 3))).data[0]
    expect([merged?.timeout, merged?.build?.status]).toEqual([60, 'success'])
  })
})

describe('what an event leaves out', () => {
  it('never erases stages and steps', () => {
    const stages = [stage(1, 'running', 2, [step(1, 'running', 2)])]
    const known: Entry = {
      endpoint: 'getBuild',
      namespace: 'acme',
      name: 'web',
      number: 2,
      data: build(2, 'running', 2, { stages }),
    }
    expect(only(known, event(repo(1), build(2, 'success', 3))).data.stages).toBe(stages)
    const withoutSteps = build(2, 'success', 3, { stages: [stage(1, 'success', 3)] })
    expect(only(known, event(repo(1), withoutSteps)).data.stages?.[0]).toEqual({
      ...stage(1, 'success', 3),
      steps: stages[0]?.steps,
    })
  })

  it('keeps stages that the event does not name', () => {
    const known: Entry = {
      endpoint: 'getBuild',
      namespace: 'acme',
      name: 'web',
      number: 2,
      data: build(2, 'running', 2, { stages: [stage(1, 'success', 3), stage(3, 'pending', 1)] }),
    }
    const merged = only(known, event(repo(1), build(2, 'running', 2, { stages: [stage(2, 'running', 1)] }))).data
    expect(merged.stages?.map(({ number }) => number)).toEqual([1, 2, 3])
  })

  it('never erases or grants permissions', () => {
    const known: Entry = { endpoint: 'getRepo', namespace: 'acme', name: 'web', data: repo(1, { permissions }) }
    const granting = repo(2, { permissions: { read: true, write: true, admin: true } })
    expect(only(known, event(repo(2), build(1, 'running', 1))).data.permissions).toEqual(permissions)
    expect(only(known, event(granting, build(1, 'running', 1))).data.permissions).toEqual(permissions)
  })

  it('keeps a repository that is told by its name only', () => {
    const known: Entry = { endpoint: 'listRepos', data: [repo(3)] }
    const merged = only(known, { namespace: 'acme', name: 'web', build: build(1, 'running', 1) }).data[0]
    expect(merged).toEqual({ ...repo(3), build: build(1, 'running', 1) })
  })
})

describe('the list of repositories', () => {
  it('is the same object when the event is about another one', () => {
    const cache: Cache = [{ endpoint: 'listRepos', data: [other] }]
    expect(mergeEvent(cache, event(repo(9), build(1, 'running', 1)))).toBe(cache)
  })

  it('is the same object when nothing is new', () => {
    const cache: Cache = [{ endpoint: 'listRepos', data: [repo(2, { build: build(1, 'running', 1) })] }]
    expect(mergeEvent(cache, event(repo(2), build(1, 'running', 1)))).toBe(cache)
  })

  it('does not go back to an older build', () => {
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
  const numbers = (entry: Extract<Entry, { endpoint: 'listRecent' }>) => entry.data.map((one) => one.build.number)
  const known: Extract<Entry, { endpoint: 'listRecent' }> = {
    endpoint: 'listRecent',
    data: [item(3, 'pending'), item(2, 'running')],
  }

  it('change in place', () => {
    const merged = only(known, event(repo(1), build(3, 'running', 2)))
    expect(merged.data.map((one) => one.build.status)).toEqual(['running', 'running'])
  })

  it('lose a finished one', () => {
    expect(numbers(only(known, event(repo(1), build(2, 'success', 3, { finished: 9 }))))).toEqual([3])
  })

  it('lose a declined one', () => {
    expect(numbers(only(known, event(repo(1), build(3, 'declined', 3))))).toEqual([2])
  })

  it('keep one whose end is outdated', () => {
    const restarted: typeof known = { ...known, data: [item(2, 'running', 7)] }
    expect(numbers(only(restarted, event(repo(1), build(2, 'killed', 6, { finished: 9 }))))).toEqual([2])
  })

  it('gain a new one of a repository that is listed, by its age', () => {
    expect(numbers(only(known, event(repo(1), build(4, 'pending', 1))))).toEqual([4, 3, 2])
  })

  it('do not gain a finished one', () => {
    expect(numbers(only(known, event(repo(1), build(4, 'success', 3, { finished: 9 }))))).toEqual([3, 2])
  })

  it('do not gain one of a repository that is not listed', () => {
    expect(only(known, event(other, build(9, 'running', 1)))).toBe(known)
  })

  it('gain one of a repository that the list of repositories knows', () => {
    const cache: Cache = [known, { endpoint: 'listRepos', data: [other] }]
    const [recent] = mergeEvent(cache, event(other, build(9, 'running', 1)))
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

  it('puts a new one first', () => {
    expect(numbers(only(list(true, [9, 8], [7, 6]), event(repo(1), build(10, 'pending', 1))))).toEqual([
      [10, 9, 8],
      [7, 6],
    ])
  })

  it('puts a late one in its place', () => {
    expect(numbers(only(list(true, [9, 7], [5]), event(repo(1), build(8, 'running', 1))))).toEqual([[9, 8, 7], [5]])
  })

  it('leaves one that belongs to a later page to that page', () => {
    const known = list(true, [9, 8])
    expect(only(known, event(repo(1), build(3, 'running', 1)))).toBe(known)
  })

  it('takes the first build of an empty list', () => {
    expect(numbers(only(list(false, []), event(repo(1), build(1, 'pending', 1))))).toEqual([[1]])
  })

  it('changes one on any page and keeps the others as they are', () => {
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

  it('goes by the target of a promotion or rollback', () => {
    const promoted = build(1, 'success', 1, { event: 'promote', deploy_to: 'production' })
    const known: Entry = { endpoint: 'listDeployments', ...of, data: [promoted] }
    const rolledBack = build(5, 'running', 1, { event: 'rollback', deploy_to: 'production' })
    expect(only(known, event(repo(1), rolledBack)).data).toEqual([rolledBack])
    expect(only(known, event(repo(1), build(6, 'running', 1)))).toBe(known)
  })
})
