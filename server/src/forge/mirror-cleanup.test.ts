import { afterEach, beforeEach, expect, it } from 'vitest'
import { findForgeRepoState, setForgeRepoState } from '../store/forge-repos.ts'
import { createRepo, findRepo, updateRepo } from '../store/repos.ts'
import { openForgeBench, type ForgeBench } from '../testing/forge-bench.ts'
import { removeUnusedMirrors } from './mirror-cleanup.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

const day = 24 * 3600

async function mirrored(name: string, active: boolean, daysAgo: number): Promise<number> {
  const { db, world } = bench
  const facts = { path: '', forge: true, default_branch: 'main', visibility: 'private', now: 1 } as const
  const repo = await createRepo(db, { uid: name, namespace: 'acme', name, ...facts })
  await updateRepo(db, { ...repo, active })
  await setForgeRepoState(db, repo.id, { mirrorFetched: world.clock - daysAgo * day, mirrorBytes: 9 })
  world.mirrors.add(repo.id)
  return repo.id
}

it('removes the mirrors of deleted repositories, and of those disabled for 30 days', async () => {
  const { db, world, forge } = bench
  const active = await mirrored('active', true, 90)
  const recent = await mirrored('recent', false, 29)
  const old = await mirrored('old', false, 31)
  const copied = await mirrored('copied', false, 0)
  await setForgeRepoState(db, copied, { mirrorFetched: 0 })
  world.mirrors.add(999)
  await removeUnusedMirrors(forge)
  expect([...world.mirrors]).toEqual([active, recent, copied])
  expect(await findForgeRepoState(db, old)).toMatchObject({ mirrorFetched: 0, mirrorBytes: 0 })
  expect(await findRepo(db, old)).toMatchObject({ slug: 'acme/old' })
  expect(world.logged).toEqual([
    'the mirror of acme/old was removed',
    'the mirror of repository 999, which no longer exists, was removed',
  ])
})
