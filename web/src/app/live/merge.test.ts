import type { Build } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import {
  step,
  stage,
  build,
  permissions,
  repo,
  event,
  other,
  only,
  type BuildEventMessage,
  type Entry,
} from './testing/fixtures.ts'

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

/** The life of build 2 as the server reports it: each event has the full state at that moment. */
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

describe('every order of arrival ends in the same state', () => {
  it.each(orders.map((order) => [order.map((event) => life.indexOf(event)).join(' '), order] as const))(
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

  it('compares build, stage and step by their own versions', () => {
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

  it('applies an event without versions', () => {
    const { version: _, ...unversioned } = build(2, 'success', 1)
    const message = { namespace: 'acme', name: 'web', build: unversioned as Build }
    expect(only(known, message).data.status).toBe('success')
  })

  it('merges repository and build separately', () => {
    const list: Entry = { endpoint: 'listRepos', data: [repo(5, { timeout: 60, build: build(2, 'running', 2) })] }
    const merged = only(list, event(repo(4, { timeout: 15 }), build(2, 'success', 3))).data[0]
    expect([merged?.timeout, merged?.build?.status]).toEqual([60, 'success'])
  })
})

describe('fields that an event omits', () => {
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

  it('keeps a repository if the event only has its name', () => {
    const known: Entry = { endpoint: 'listRepos', data: [repo(3)] }
    const merged = only(known, { namespace: 'acme', name: 'web', build: build(1, 'running', 1) }).data[0]
    expect(merged).toEqual({ ...repo(3), build: build(1, 'running', 1) })
  })
})

describe('the waiting reason', () => {
  const waiting = { reason: 'place', text: 'Queued: 2nd of 2 (1 of 1 runner slots busy)' } as const
  const details = (data: Build): Entry => ({ endpoint: 'getBuild', namespace: 'acme', name: 'web', number: 2, data })
  const before = () => build(2, 'pending', 1, { waiting, stages: [{ ...stage(1, 'pending', 1), waiting }] })

  it('is replaced, even if nothing else has changed', () => {
    const next = { ...waiting, text: 'Queued: 1st of 1 (1 of 1 runner slots busy)' }
    const waitingBuild = build(2, 'pending', 1, {
      waiting: next,
      stages: [{ ...stage(1, 'pending', 1), waiting: next }],
    })
    expect(only(details(before()), event(repo(2), waitingBuild)).data).toEqual(waitingBuild)
  })

  it('is removed when an event omits it', () => {
    const pendingBuild = build(2, 'pending', 1, { stages: [stage(1, 'pending', 1)] })
    expect(only(details(before()), event(repo(2), pendingBuild)).data).toEqual(pendingBuild)
    const runs = build(2, 'running', 2, { stages: [stage(1, 'running', 2)] })
    expect(only(details(before()), event(repo(2), runs)).data).toEqual(runs)
  })

  it('stays if an older event omits it', () => {
    const now = { ...before(), version: 3, stages: [{ ...stage(1, 'pending', 3), waiting }] }
    expect(
      only(details(now), event(repo(2), build(2, 'pending', 1, { stages: [stage(1, 'pending', 1)] }))).data,
    ).toEqual(now)
  })
})
