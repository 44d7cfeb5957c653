/** What a person learns of a sync: how far it is, what it left out, and why it failed. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ForgeError, type ForgeRepository, type RepositoryPage } from './driver.ts'
import { runAsActor } from '../lib/audit-context.ts'
import { listAudit } from '../store/audit.ts'
import { findPermissions, setPermissions } from '../store/permissions.ts'
import { createSync } from './sync.ts'
import { createRepo } from '../store/repos.ts'
import { listUserRepos } from '../store/repo-lists.ts'
import { openForgeBench, repository, type ForgeBench } from '../testing/forge-bench.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

/** The pages of a forge; the second one comes when the test says so. */
function pagesOf(pages: RepositoryPage[]) {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  bench.forge = {
    ...bench.forge,
    driver: {
      ...bench.forge.driver,
      async *repositories() {
        for (const [index, page] of pages.entries()) {
          if (index === 1) await gate
          yield page
        }
      },
    },
  }
  return () => open()
}

it('reports how many repositories are read, and the total', async () => {
  const user = await bench.signedIn('ann')
  const goOn = pagesOf([
    { repositories: [repository('1', 'acme/a'), repository('2', 'acme/b')], total: 3 },
    { repositories: [repository('3', 'acme/c')], total: 3 },
  ])
  const sync = createSync(bench.forge)
  const running = sync.run(user)
  await expect.poll(() => sync.state(user.id).running).toEqual({ done: 2, total: 3 })
  goOn()
  await running
  expect(sync.state(user.id)).toEqual({ running: null, error: '', refused: [], refusedCount: 0 })
  expect((await listUserRepos(bench.db, user.id)).map(({ slug }) => slug)).toEqual(['acme/a', 'acme/b', 'acme/c'])
})

it('names the repositories that are left out, the first hundred, until the next sync', async () => {
  const user = await bench.signedIn('ann')
  const folder = { path: '/srv/folder', default_branch: 'main', visibility: 'private', now: 1 } as const
  await createRepo(bench.db, { uid: 'f', namespace: 'acme', name: 'folder', ...folder })
  const spaced = Array.from({ length: 120 }, (_, index) => repository(`s${index}`, `acme/a b${index}`))
  bench.world.repositories = [repository('1', 'acme/folder'), repository('2', 'api/web'), ...spaced]
  const sync = createSync(bench.forge)
  await sync.run(user)
  const { refused, refusedCount } = sync.state(user.id)
  expect(refusedCount).toBe(122)
  expect(refused).toHaveLength(100)
  expect(refused).toContain('api/web: its name can’t be used in an address')
  expect(bench.world.logged.at(-1)).toMatch(/^repositories of ann that the sync skipped: 122, such as /)
  bench.world.repositories = [repository('1', 'acme/folder')]
  await sync.run(user)
  expect(sync.state(user.id).refused).toEqual(['acme/folder: a folder on this machine has the same name'])
  bench.world.repositories = [repository('1', 'acme/other')]
  await sync.run(user)
  expect(sync.state(user.id).refused).toEqual([])
})

it('reports why it failed, and then revokes no rights', async () => {
  const user = await bench.signedIn('ann')
  bench.world.repositories = [repository('1', 'acme/a')]
  await createSync(bench.forge).run(user)
  bench.forge = {
    ...bench.forge,
    driver: {
      ...bench.forge.driver,
      // oxlint-disable-next-line require-yield
      async *repositories() {
        throw new ForgeError('unavailable', 'Gitea does not answer.')
      },
    },
  }
  const sync = createSync(bench.forge)
  await expect(sync.run(user)).rejects.toThrow('Gitea does not answer.')
  expect(sync.state(user.id)).toMatchObject({ running: null, error: 'Gitea does not answer.' })
  expect(await listUserRepos(bench.db, user.id)).toHaveLength(1)
})

it('writes nothing to the audit log, whether rights change or not; a collaborator that a person adds is an entry', async () => {
  const user = await bench.signedIn('ann')
  const actor = { userId: user.id, login: 'ann', address: '127.0.0.1', agent: '', request: '', time: 1 }
  const actions = async () => (await listAudit(bench.db, {}, { limit: 100 })).items.map(({ action }) => action)
  const before = await actions()
  const synced = async (...repositories: ForgeRepository[]) => {
    bench.world.clock += 60
    bench.world.repositories = repositories
    await runAsActor(actor, () => createSync(bench.forge).run(user))
    const rights = await Promise.all(
      (await listUserRepos(bench.db, user.id)).map(({ id }) => findPermissions(bench.db, user.id, id)),
    )
    return rights.map((right) => right?.admin)
  }
  expect(await synced(repository('1', 'acme/a'), repository('2', 'acme/b'))).toEqual([true, true])
  expect(await synced(repository('1', 'acme/a'), repository('2', 'acme/b'))).toEqual([true, true])
  const reader = { read: true, write: false, admin: false }
  expect(await synced(repository('1', 'acme/a', { permissions: reader }))).toEqual([false])
  expect(await actions()).toEqual(before)
  const [repo] = await listUserRepos(bench.db, user.id)
  const key = { userId: user.id, repoId: repo?.id ?? 0 }
  await runAsActor(actor, () => setPermissions(bench.db, key, { ...reader, write: true }, bench.world.clock))
  expect(await actions()).toEqual(['access.changed', ...before])
})
