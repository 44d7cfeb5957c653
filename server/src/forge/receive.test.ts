/** Webhooks on their way to a build. */
import { createHmac } from 'node:crypto'
import type { Repo } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findForgeRepo, setForgeRepoState } from '../store/forge-repos.ts'
import { findRef, markerRef, replaceRefs } from '../store/refs.ts'
import { updateRepo } from '../store/repos.ts'
import { listDueStatuses } from '../store/statuses.ts'
import {
  hookRepository,
  openForgeBench,
  pullRequest,
  repository,
  shaOf,
  type ForgeBench,
} from '../testing/forge-bench.ts'
import { noPerson, type ForgeEvent } from './events.ts'
import { createReceiver } from './receive.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

describe('webhooks', () => {
  const secret = 'of this repository'
  let web: Repo

  beforeEach(async () => {
    const ann = await bench.signedIn('ann')
    bench.world.repositories = [repository('11', 'acme/web'), repository('12', 'acme/tool')]
    await bench.sync(ann)
    const found = (await findForgeRepo(bench.db, '11')) ?? expect.fail('not there')
    web = await updateRepo(bench.db, { ...found, active: true, user_id: ann.id })
    await setForgeRepoState(bench.db, web.id, { hookSecret: bench.forge.box.encrypt(secret) })
    await replaceRefs(bench.db, web.id, new Map([[markerRef, 'seen']]), 1)
  })

  const about = (id: string) => ({ ...hookRepository, id, cloneUrl: 'https://evil.example.com/x.git' })
  const push = (before: string, after: string, id = '11') => ({
    event: {
      kind: 'push',
      repository: about(id),
      sender: noPerson,
      ref: 'refs/heads/main',
      branch: 'main',
      before,
      after,
      message: 'change',
      author: noPerson,
      link: '',
    },
    delivery: '',
    name: 'push',
  })
  const receiver = () => createReceiver(bench.forge, async () => undefined)
  async function send(to: ReturnType<typeof receiver>, payload: unknown, key = secret) {
    const body = Buffer.from(JSON.stringify(payload))
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const answer = await to.receive((name) => (name === 'x-signature' ? signature : undefined), body)
    await to.idle()
    return answer
  }

  it('build once, however often they come', async () => {
    const hooks = receiver()
    bench.world.mirror.set('refs/heads/main', shaOf('b'))
    for (let count = 0; count < 3; count += 1) {
      expect(await send(hooks, push(shaOf('a'), shaOf('b')))).toMatchObject({ status: 200 })
    }
    expect(bench.world.built.map(({ after }) => after)).toEqual([shaOf('b')])
  })

  it('of a new tag whose commit the forge does not say build the commit that the tag has', async () => {
    const hooks = receiver()
    const tag = { kind: 'tag', ref: 'refs/tags/v1', tag: 'v1', before: '', message: '', link: '', branch: '' } as const
    bench.world.mirror.set(tag.ref, shaOf('d'))
    // The push of the tag follows.
    for (const after of ['', shaOf('d')]) {
      hooks.add(web.id, { ...tag, after, author: noPerson, sender: noPerson, repository: hookRepository })
      await hooks.idle()
      expect(bench.world.built.map((hook) => [hook.event, hook.after])).toEqual([['tag', shaOf('d')]])
    }
  })

  it('that would take long to parse are refused, whatever their signature', async () => {
    const body = Buffer.from(`[${'[],'.repeat(900_000)}0]`)
    await expect(receiver().receive(() => undefined, body)).rejects.toMatchObject({ status: 413 })
  })

  it('are answered before the forge or its git is asked, however long those hang @system', async () => {
    let hangs = 0
    let release = (): void => undefined
    const hanging = new Promise<void>((resolve) => (release = resolve))
    const hang = async <T>(value: T): Promise<T> => {
      hangs += 1
      await hanging
      return value
    }
    const { driver, mirrors } = bench.forge
    const forge = {
      ...bench.forge,
      driver: { ...driver, repositoryById: () => hang(null), currentUser: () => hang(noPerson as never) },
      mirrors: { ...mirrors, fetch: () => hang(undefined), head: () => hang(shaOf('b')) },
    }
    const hooks = createReceiver(forge, () => hang(undefined))
    const body = Buffer.from(JSON.stringify(push(shaOf('a'), shaOf('b'))))
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const header = (name: string) => (name === 'x-signature' ? signature : undefined)
    // Resolves while everything that is asked hangs.
    for (let count = 0; count < 300; count += 1)
      expect(await hooks.receive(header, body)).toMatchObject({ status: 200 })
    await expect.poll(() => hangs).toBe(1)
    expect(bench.world.built).toEqual([])
    release()
    await hooks.idle()
  })

  const pull = (action: string, target = 'main') => ({
    event: {
      ...pullRequest,
      action,
      target,
      repository: about('11'),
    },
    delivery: '',
    name: 'pull_request',
  })

  it('of a closed pull request that come again build nothing; its reopening does, once', async () => {
    const hooks = receiver()
    bench.world.mirror.set('refs/heads/main', shaOf('a')).set('refs/pull/7/head', shaOf('c'))
    const count = async (action: string, target?: string) => {
      expect(await send(hooks, pull(action, target))).toMatchObject({ status: 200 })
      return bench.world.built.length
    }
    expect([await count('opened'), await count('opened'), await count('synchronized')]).toEqual([1, 1, 1])
    expect([await count('closed'), await count('opened'), await count('retargeted', 'next')]).toEqual([1, 1, 1])
    expect([await count('reopened'), await count('reopened'), await count('opened')]).toEqual([2, 2, 2])
    expect([await count('retargeted', 'next')]).toEqual([3])
  })

  it('of a merge queue run the checks of pull requests on its commit, once, while its branch exists', async () => {
    const mergeQueueTarget = (branch: string) => (branch === 'queue' ? 'main' : undefined)
    const canceled: string[] = []
    const forge = {
      ...bench.forge,
      driver: { ...bench.forge.driver, mergeQueueTarget },
      ci: { ...bench.forge.ci, cancelWaiting: async (_repoId: number, ref: string) => void canceled.push(ref) },
    }
    const hooks = createReceiver(forge, async () => undefined)
    const queued = push(shaOf('0'), shaOf('c'))
    const event = { ...queued.event, ref: 'refs/heads/queue', branch: 'queue', message: 'Merge #7\n\nA fix' }
    bench.world.mirror.set('refs/heads/main', shaOf('a')).set('refs/heads/queue', shaOf('c'))
    await send(hooks, { ...queued, event })
    const common = { ref: 'refs/heads/queue', after: shaOf('c') }
    expect(bench.world.built).toMatchObject([
      { ...common, event: 'push', target: 'queue' },
      {
        ...common,
        event: 'pull_request',
        target: 'main',
        before: shaOf('a'),
        title: 'Merge #7',
        sourceRepo: 'acme/web',
      },
    ])
    const removed = { kind: 'branch-deleted', branch: 'queue', repository: about('11'), sender: noPerson }
    bench.world.mirror.clear()
    await send(hooks, { ...queued, event: removed })
    expect(canceled).toEqual(['refs/heads/queue'])
    await send(hooks, { ...queued, event: { ...removed, branch: 'main' } })
    expect(canceled).toHaveLength(1)
    const built = bench.world.built.filter((hook) => hook.event === 'pull_request').length
    await send(hooks, { ...queued, event: { ...event, after: shaOf('d') } })
    expect(bench.world.built.filter((hook) => hook.event === 'pull_request')).toHaveLength(built)
  })

  describe('in another order than their events', () => {
    const built = () => bench.world.built.map(({ after }) => after)
    const deleted = {
      event: { kind: 'branch-deleted', branch: 'main', repository: about('11'), sender: noPerson },
      delivery: '',
      name: 'delete',
    }

    it('build nothing of a branch that was deleted since', async () => {
      const hooks = receiver()
      await send(hooks, deleted)
      await send(hooks, push(shaOf('a'), shaOf('b')))
      expect(built()).toEqual([])
    })

    it('build no older commit after a newer one', async () => {
      const hooks = receiver()
      bench.world.mirror.set('refs/heads/main', shaOf('c'))
      await send(hooks, push(shaOf('b'), shaOf('c')))
      await send(hooks, push(shaOf('a'), shaOf('b')))
      expect(built()).toEqual([shaOf('c')])
      expect(await findRef(bench.db, web.id, 'refs/heads/main')).toBe(shaOf('c'))
    })

    it('leave a branch that was created again as it is', async () => {
      const hooks = receiver()
      bench.world.mirror.set('refs/heads/main', shaOf('b'))
      await send(hooks, push(shaOf('a'), shaOf('b')))
      await send(hooks, deleted)
      await send(hooks, push(shaOf('a'), shaOf('b')))
      expect(built()).toEqual([shaOf('b')])
    })

    it('do not open a pull request that was closed before', async () => {
      const hooks = receiver()
      bench.world.mirror.set('refs/heads/main', shaOf('a')).set('refs/pull/7/head', shaOf('c'))
      for (const action of ['closed', 'opened', 'synchronized']) await send(hooks, pull(action))
      expect(built()).toEqual([])
    })
  })

  it('of a commit that a later push has replaced are not waited for', async () => {
    let fetches = 0
    const { mirrors } = bench.forge
    const head = async (repoId: number, name: string) => (name === shaOf('b') ? null : mirrors.head(repoId, name))
    const fetch = async () => void (fetches += 1)
    const hooks = createReceiver({ ...bench.forge, mirrors: { ...mirrors, head, fetch } }, async () => undefined)
    bench.world.mirror.set('refs/heads/main', shaOf('c'))
    await send(hooks, push(shaOf('a'), shaOf('b')))
    await send(hooks, push(shaOf('b'), shaOf('c')))
    expect(bench.world.built.map(({ after }) => after)).toEqual([shaOf('c')])
    expect(fetches).toBe(2)
  })

  it('that are delivered again while they wait are handled once, and leave room for others', async () => {
    let fetches = 0
    let release = (): void => undefined
    const hanging = new Promise<void>((resolve) => (release = resolve))
    const { mirrors } = bench.forge
    const fetch = async () => {
      fetches += 1
      await hanging
    }
    const hooks = createReceiver({ ...bench.forge, mirrors: { ...mirrors, fetch } }, async () => undefined)
    bench.world.mirror.set('refs/heads/main', shaOf('c')).set('refs/heads/next', shaOf('d'))
    const sent = push(shaOf('a'), shaOf('b')).event
    for (let count = 0; count < 1_000; count += 1) hooks.add(web.id, sent as ForgeEvent)
    hooks.add(web.id, { ...sent, ref: 'refs/heads/next', branch: 'next', after: shaOf('d') } as ForgeEvent)
    release()
    await hooks.idle()
    expect(bench.world.built.map(({ after }) => after)).toEqual([shaOf('b'), shaOf('d')])
    expect(fetches).toBe(2)
  })

  it('that close a pull request again after its reopening are not taken for a repetition', async () => {
    const hooks = receiver()
    bench.world.mirror.set('refs/heads/main', shaOf('a')).set('refs/pull/7/head', shaOf('c'))
    for (const action of ['opened', 'closed', 'reopened', 'closed', 'opened'])
      hooks.add(web.id, pull(action).event as ForgeEvent)
    await hooks.idle()
    expect(bench.world.built).toHaveLength(2)
  })

  it('of a pull request that names no commit are not waited for when they are delivered again', async () => {
    let fetches = 0
    const { mirrors } = bench.forge
    const fetch = async () => void (fetches += 1)
    const hooks = createReceiver({ ...bench.forge, mirrors: { ...mirrors, fetch } }, async () => undefined)
    bench.world.mirror.set('refs/heads/main', shaOf('a')).set('refs/pull/7/head', shaOf('c'))
    const opened = { ...pull('opened'), event: { ...pull('opened').event, head: '' } }
    for (let count = 0; count < 2; count += 1) await send(hooks, opened)
    expect(bench.world.built.map(({ after }) => after)).toEqual([shaOf('c')])
    expect(fetches).toBe(2)
  })

  it('that are delivered again fetch nothing', async () => {
    let fetches = 0
    const { mirrors } = bench.forge
    const fetch = async () => void (fetches += 1)
    const hooks = createReceiver({ ...bench.forge, mirrors: { ...mirrors, fetch } }, async () => undefined)
    bench.world.mirror.set('refs/heads/main', shaOf('b')).set('refs/pull/7/head', shaOf('c'))
    for (let count = 0; count < 5; count += 1) {
      await send(hooks, push(shaOf('a'), shaOf('b')))
      await send(hooks, pull('opened'))
    }
    expect(fetches).toBe(2)
  })

  it('of a new branch have the mirror checked, where no push reports it; a forged one does not', async () => {
    const checked: number[] = []
    const hooks = createReceiver(
      bench.forge,
      async () => undefined,
      (repoId) => checked.push(repoId),
    )
    const event = { kind: 'branch-created', branch: 'renamed', repository: about('11'), sender: noPerson }
    await send(hooks, { event, delivery: '', name: 'create' }, 'guessed')
    expect(checked).toEqual([])
    expect(await send(hooks, { event, delivery: '', name: 'create' })).toMatchObject({ status: 200 })
    expect(checked).toEqual([web.id])
    await updateRepo(bench.db, { ...web, active: false })
    await send(hooks, { event, delivery: '', name: 'create' })
    expect(checked).toEqual([web.id])
  })

  it('of a commit that is skipped report it as passed where that is wanted, once', async () => {
    const sent = () => listDueStatuses(bench.db, bench.world.clock, 10)
    bench.world.mirror.set('refs/heads/main', shaOf('b'))
    await send(receiver(), push(shaOf('a'), shaOf('b')))
    expect(await sent()).toEqual([])
    const hooks = createReceiver({ ...bench.forge, statusSkipped: true }, async () => undefined)
    bench.world.mirror.set('refs/heads/main', shaOf('c')).set('refs/pull/7/head', shaOf('c'))
    // The bench's CI builds nothing, as for `[ci skip]` and for what no pipeline is for.
    for (let count = 0; count < 2; count += 1) {
      await send(hooks, push(shaOf('b'), shaOf('c')))
      await send(hooks, pull('opened'))
    }
    const common = { sha: shaOf('c'), state: 'success', description: 'Build was skipped' }
    expect(await sent()).toMatchObject([
      { ...common, context: 'continuous-integration/drone/push' },
      { ...common, context: 'continuous-integration/drone/pr' },
    ])
  })

  it('are refused with another secret, for another repository, and for one that is unknown', async () => {
    const hooks = receiver()
    bench.world.mirror.set('refs/heads/main', shaOf('b'))
    const badly = { status: 400, message: 'Invalid webhook signature' }
    expect(await send(hooks, push(shaOf('a'), shaOf('b')), 'guessed')).toEqual(badly)
    expect(await send(hooks, push(shaOf('a'), shaOf('b'), '12'))).toEqual(badly)
    // No secret was ever made for it: an empty one must not do.
    await setForgeRepoState(bench.db, web.id, { hookSecret: '' })
    expect(await send(hooks, push(shaOf('a'), shaOf('b')), '')).toEqual(badly)
    expect(await send(hooks, push(shaOf('a'), shaOf('b'), '99'))).toEqual({
      status: 400,
      message: 'Cannot find repository',
    })
    expect(bench.world.built).toEqual([])
  })
})
