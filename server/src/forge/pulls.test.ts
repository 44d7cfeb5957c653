// Pull request changes without a webhook, on a real database and with a list instead of the forge.
import type { User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findForgeRepo } from '../store/forge-repos.ts'
import { createBuild } from '../store/builds.ts'
import { setLatest } from '../store/latest.ts'
import { findPermissions } from '../store/permissions.ts'
import { findRef, markerRef, replaceRefs } from '../store/refs.ts'
import { buildRow } from '../testing/build-row.ts'
import {
  hookRepository,
  openForgeBench,
  pullRequest,
  repository,
  shaOf,
  type ForgeBench,
} from '../testing/forge-bench.ts'
import { buildEvent } from './builds.ts'
import { ForgeError } from './driver.ts'
import { noPerson, type PullRequestFacts } from './events.ts'
import { missedPullRequests } from './pulls.ts'

let bench: ForgeBench
let ann: User
const { kind: _kind, sender: _sender, merged: _merged, ...facts } = pullRequest
const pull = (more: Partial<PullRequestFacts> = {}): PullRequestFacts => ({ ...facts, target: 'main', ...more })
const { ref } = facts

beforeEach(async () => {
  bench = openForgeBench()
  bench.world.repositories = [repository('11', 'acme/web')]
  ann = await bench.signedIn('ann')
  await bench.sync(ann)
})
afterEach(() => bench.close())

async function theRepo() {
  const repo = await findForgeRepo(bench.db, '11')
  return repo ?? expect.fail('no repository')
}
/** Looks once; answers what was new. */
async function look(changed: { ref: string; before: string; after: string }[] = []) {
  const repo = await theRepo()
  const events = await missedPullRequests(bench.forge, repo, hookRepository, changed)
  return { repo, events, actions: events.map(({ number, action }) => `${number} ${action}`) }
}
const seenAt = async (sha: string) => {
  const { id } = await theRepo()
  await replaceRefs(bench.db, id, new Map([[markerRef, 'seen'], ...(sha ? [[ref, sha] as const] : [])]), 1)
}
const builtAt = async (after: string) => {
  const { id } = await theRepo()
  const build = buildRow({ repo_id: id, number: 1, event: 'pull_request', ref, after, target: 'main' })
  await setLatest(bench.db, await createBuild(bench.db, build))
}

describe('a pull request without a webhook', () => {
  it.each([
    ['is opened', '', '7 opened'],
    ['has moved on', shaOf('b'), '7 synchronized'],
    ['is open again', `closed ${shaOf('c')}`, '7 reopened'],
  ])('%s', async (_what, seen, expected) => {
    await seenAt(seen)
    bench.world.pulls = [pull()]
    expect((await look()).actions).toEqual([expected])
  })

  it('was there when the repository was activated, and starts nothing', async () => {
    await seenAt(shaOf('c'))
    bench.world.pulls = [pull()]
    expect((await look()).actions).toEqual([])
  })

  it('that was opened and closed is not read again', async () => {
    await seenAt('')
    const change = { ref, before: '', after: shaOf('c') }
    expect((await look([change])).actions).toEqual([])
    expect(await findRef(bench.db, (await theRepo()).id, ref)).toBe(`closed ${shaOf('c')}`)
  })

  it('of a fork has the name of the fork, where the list says only its id', async () => {
    await seenAt('')
    bench.world.repositories.push(repository('12', 'bob/web'))
    bench.world.pulls = [pull({ fork: true, sourceRepository: '', sourceRepositoryId: '12' })]
    expect((await look()).events[0]?.sourceRepository).toBe('bob/web')
    bench.world.pulls = [pull({ fork: true, sourceRepository: '', sourceRepositoryId: '13' })]
    expect((await look()).events[0]).toMatchObject({ fork: true, sourceRepository: '' })
  })

  it.each(['forbidden', 'not-found', 'refused'] as const)(
    'is left where the list is %s, and takes no rights away',
    async (failure) => {
      await seenAt('')
      bench.forge.driver.openPullRequests = async () => {
        throw new ForgeError(failure, 'no list')
      }
      expect((await look()).actions).toEqual([])
      expect(await findPermissions(bench.db, ann.id, (await theRepo()).id)).toMatchObject({ admin: true })
    },
  )

  /** A list that is read while `meanwhile` runs, and shows the state before it. */
  const listedBefore = (meanwhile: () => Promise<void>) => {
    const list = bench.world.pulls
    bench.forge.driver.openPullRequests = async () => {
      await meanwhile()
      return list
    }
  }

  it('is not closed if it was opened and built while the list was read', async () => {
    await seenAt('')
    listedBefore(async () => {
      await builtAt(shaOf('c'))
      await seenAt(shaOf('c'))
    })
    expect((await look()).actions).toEqual([])
  })

  it('is not opened again if it was closed while the list was read', async () => {
    await seenAt(shaOf('c'))
    bench.world.pulls = [pull()]
    listedBefore(() => seenAt(`closed ${shaOf('c')}`))
    expect((await look()).actions).toEqual([])
  })

  it('is closed where the list does not have it any more', async () => {
    await seenAt(shaOf('c'))
    await builtAt(shaOf('c'))
    expect((await look()).actions).toEqual(['7 closed'])
  })

  it('has another target', async () => {
    await seenAt(shaOf('c'))
    await builtAt(shaOf('c'))
    bench.world.pulls = [pull({ target: 'next' })]
    expect((await look()).actions).toEqual(['7 retargeted'])
  })

  it('is one of many: the newest 20 are built, and the forge is asked about their forks only', async () => {
    await seenAt('')
    const forkOf = (number: number) => ({ fork: true, sourceRepository: '', sourceRepositoryId: String(number) })
    for (let number = 1; number <= 25; number += 1)
      bench.world.pulls.push(pull({ number, ref: `refs/pull/${number}/head`, ...forkOf(number) }))
    const asked: string[] = []
    bench.forge.driver.repositoryById = async (_token, id) => {
      asked.push(id)
      return null
    }
    const newest = Array.from({ length: 20 }, (_, index) => String(index + 6))
    expect((await look()).actions).toEqual(newest.map((number) => `${number} opened`))
    expect(asked).toEqual(newest)
  })

  it('builds once, whichever of the two comes first', async () => {
    await seenAt('')
    bench.world.pulls = [pull()]
    bench.world.mirror.set(ref, shaOf('c'))
    const { repo, events } = await look()
    await bench.db.updateTable('repos').set({ repo_active: 1 }).where('repo_id', '=', repo.id).execute()
    for (const event of events) {
      await buildEvent(bench.forge, repo.id, event)
      await buildEvent(bench.forge, repo.id, { ...event, sender: noPerson })
    }
    expect(bench.world.built).toMatchObject([{ event: 'pull_request', action: 'opened', ref, after: shaOf('c') }])
    expect((await look()).actions).toEqual([])
  })
})
