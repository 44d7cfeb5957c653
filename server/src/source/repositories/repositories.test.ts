import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/open.ts'
import { deletePermissions, findPermissions, setPermissions } from '../../store/permissions.ts'
import { listRefs } from '../../store/refs.ts'
import { findRepoBySlug, findRepoInternals, listRepos } from '../../store/repos.ts'
import { createUser, findUser } from '../../store/users.ts'
import { createGit } from '../git/git.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { createRepositories, type Repositories, type RepositoriesOptions } from './repositories.ts'

let folder: string
let repos: string
let store: Store
let repositories: Repositories
let options: RepositoriesOptions
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-repos-'))
  repos = join(folder, 'repos')
  mkdirSync(repos)
  store = openStore(':memory:')
  const git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  const publicUrl = 'http://ci.example.com'
  options = { db: store.db, git, folders: [repos], publicUrl, now: () => 1_700_000_000 }
  repositories = createRepositories(options)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const make = (name: string, ...options: string[]) => testRepository(join(repos, name), ...options)
const messages = () => repositories.problems().map(({ message }) => message.replaceAll(`${repos}/`, ''))
const slugs = async () => (await listRepos(store.db, { page: 1, perPage: 100 })).map(({ slug }) => slug)

test('finds work trees and bare repositories; administrators get full access, others none', async () => {
  make('acme/web').commit({ a: '1' }, 'First')
  const tool = make('acme/tool.git', '--bare')
  tool.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
  const admin = await createUser(store.db, { login: 'admin', admin: true, created: 1 })
  const other = await createUser(store.db, { login: 'bob', created: 1 })
  await repositories.syncAll()
  expect(await slugs()).toEqual(['acme/tool', 'acme/web'])
  const web = await findRepoBySlug(store.db, 'acme/web')
  expect(web).toMatchObject({ uid: 'acme/web', default_branch: 'main', active: false, visibility: 'private' })
  expect(web?.link).toBe('http://ci.example.com/link/acme/web')
  expect(await findRepoBySlug(store.db, 'acme/tool')).toMatchObject({ default_branch: 'trunk' })
  expect(await findRepoInternals(store.db, web?.id ?? 0)).toMatchObject({ path: join(repos, 'acme/web') })
  expect(await findPermissions(store.db, admin.id, web?.id ?? 0)).toEqual({ read: true, write: true, admin: true })
  expect(await findPermissions(store.db, other.id, web?.id ?? 0)).toBeNull()
  expect(messages()).toEqual(['acme/tool.git: has no commits yet'])
})

test('all users get the default access to a new repository, and keep access that was set by hand', async () => {
  make('acme/web').commit({ a: '1' }, 'First')
  const [ada, bob, cat] = await Promise.all(
    ['ada', 'bob', 'cat'].map((login) => createUser(store.db, { login, admin: login === 'ada', created: 1 })),
  )
  const rights = async (slug: string) => {
    const repo = await findRepoBySlug(store.db, slug)
    const row = async (id = 0) => {
      const found = await findPermissions(store.db, id, repo?.id ?? 0)
      return found && (found.admin ? 'admin' : found.write ? 'write' : 'read')
    }
    return [await row(ada?.id), await row(bob?.id), await row(cat?.id)]
  }
  await repositories.syncAll()
  expect(await rights('acme/web')).toEqual(['admin', null, null])
  const open = createRepositories({ ...options, defaultAccess: 'read' })
  make('acme/tool').commit({ a: '1' }, 'First')
  await open.syncAll()
  expect([await rights('acme/web'), await rights('acme/tool')]).toEqual([
    ['admin', null, null],
    ['admin', 'read', 'read'],
  ])
  const tool = (await findRepoBySlug(store.db, 'acme/tool'))?.id ?? 0
  await deletePermissions(store.db, bob?.id ?? 0, tool)
  await setPermissions(store.db, { userId: cat?.id ?? 0, repoId: tool }, { read: true, write: true, admin: false }, 1)
  await open.syncAll()
  expect(await rights('acme/tool')).toEqual(['admin', null, 'write'])
})

test('a second sync updates only what has changed @system', async () => {
  const web = make('acme/web')
  web.commit({ a: '1' }, 'First')
  await repositories.syncAll()
  await repositories.syncAll()
  expect(await findRepoBySlug(store.db, 'acme/web')).toMatchObject({ version: 1 })
  web.git('branch', '-m', 'other')
  await repositories.syncAll()
  expect(await findRepoBySlug(store.db, 'acme/web')).toMatchObject({ version: 2, default_branch: 'other' })
  rmSync(web.path, { recursive: true })
  await repositories.syncAll()
  expect(await findRepoInternals(store.db, 1)).toMatchObject({ missing: true })
  make('acme/web').commit({ a: '1' }, 'First')
  await repositories.syncAll()
  expect(await findRepoInternals(store.db, 1)).toMatchObject({ missing: false })
})

test('activation sets empty settings to their defaults, and records the refs as seen @system', async () => {
  make('acme/web').commit({ a: '1' }, 'First')
  const admin = await createUser(store.db, { login: 'admin', admin: true, created: 1 })
  await repositories.sync(admin)
  expect(await findUser(store.db, admin.id)).toMatchObject({ syncing: false, synced: 1_700_000_000 })
  const [found] = await listRepos(store.db, { page: 1, perPage: 1 })
  if (!found) throw new Error('not found')
  const filled = { active: true, user_id: admin.id, config_path: '.drone.yml', timeout: 60 }
  const active = await repositories.enable(found, admin)
  expect(active).toMatchObject(filled)
  const internals = await findRepoInternals(store.db, found.id)
  expect(internals?.secret).toHaveLength(32)
  expect(internals?.signer).toHaveLength(32)
  expect([...(await listRefs(store.db, found.id)).keys()].toSorted()).toEqual(['HEAD', 'refs/heads/main'])
  expect(await repositories.disable(active)).toMatchObject({ ...filled, active: false })
  expect((await listRefs(store.db, found.id)).size).toBe(0)
  await repositories.enable(found, admin)
  expect(await findRepoInternals(store.db, found.id)).toEqual(internals)
})

test('reports repositories that cannot be used, with the reason @system', async () => {
  make('api/web').commit({ a: '1' }, 'First')
  make('settings/web').commit({ a: '1' }, 'First')
  make('loose').commit({ a: '1' }, 'First')
  make('acme/bad name').commit({ a: '1' }, 'First')
  make('acme/-dash').commit({ a: '1' }, 'First')
  make('acme/twice').commit({ a: '1' }, 'First')
  make('acme/twice.git', '--bare')
  mkdirSync(join(repos, 'acme/plain'))
  mkdirSync(join(repos, '.cache'))
  writeFileSync(join(repos, 'README'), '')
  await repositories.syncAll()
  expect(await slugs()).toEqual(['acme/twice'])
  expect(messages()).toEqual([
    'acme/-dash: the name "-dash" must start with a letter, a digit or "_"',
    'acme/bad name: the name "bad name" can contain only letters, digits, ".", "_" and "-"',
    'acme/plain: is not a git repository',
    `acme/twice.git: has the same name as acme/twice, which is used`,
    'api: the namespace "api" is reserved by Flightdeck: rename the folder',
    `loose: is a repository without a namespace: move it to NAMESPACE`,
    'settings: the namespace "settings" is reserved by Flightdeck: rename the folder',
  ])
})

test('a folder that does not exist', async () => {
  rmSync(repos, { recursive: true })
  await repositories.syncAll()
  expect(repositories.problems()[0]?.message).toContain('cannot be read: ENOENT')
  mkdirSync(repos)
})

/** Root can read everything, so this needs an ordinary user. */
test.skipIf(process.getuid?.() === 0)('a folder that cannot be read', async () => {
  const { path } = make('acme/web')
  chmodSync(path, 0)
  await repositories.syncAll()
  expect(messages()[0]).toContain('acme/web: cannot be read: EACCES')
  chmodSync(path, 0o700)
})

/** Only root can change the owner of a folder. */
test.skipIf(process.getuid?.() !== 0)(
  'a folder of another account is not read, and the message has the fix',
  async () => {
    const repo = make('acme/web')
    repo.commit({ a: '1' }, 'First')
    chownSync(repo.path, 65534, 65534)
    await repositories.syncAll()
    expect(await slugs()).toEqual([])
    expect(messages()[0]).toMatch(/^acme\/web: belongs to \w+, but Flightdeck runs as root.*safe\.directory/)
    expect(repositories.refused()[0]).toMatch(/--add safe\.directory '\.\.\.\/acme\/web'$/)
  },
)

const branchOf = async (slug = 'acme/web') => {
  await repositories.syncAll()
  return (await findRepoBySlug(store.db, slug))?.default_branch
}

test('the default branch does not depend on the checked-out branch @system', async () => {
  const web = make('acme/web')
  web.commit({ a: '1' }, 'First')
  expect(await branchOf()).toBe('main')
  web.git('checkout', '-q', '-b', 'feature/x')
  expect(await branchOf()).toBe('main')
  web.git('checkout', '-q', '--detach')
  expect(await branchOf()).toBe('main')
  web.git('pack-refs', '--all')
  expect(await branchOf()).toBe('main')
  // Leaves only one branch.
  web.git('branch', '-D', 'main')
  web.git('checkout', '-q', 'feature/x')
  expect(await branchOf()).toBe('feature/x')
  // The known branch stays while it exists.
  web.git('branch', 'main')
  expect(await branchOf()).toBe('feature/x')
})

test.each<[string, (web: ReturnType<typeof make>) => unknown, string]>([
  ['origin’s', (web) => web.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk'), 'trunk'],
  ['the configured one', (web) => web.git('config', 'init.defaultBranch', 'trunk'), 'trunk'],
  ['main', () => {}, 'main'],
  ['master', (web) => web.git('branch', '-m', 'main', 'master'), 'master'],
  [
    'origin’s, if there is such a branch',
    (web) => web.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/gone'),
    'main',
  ],
])('the default branch of a work tree that is new is %s', async (_what, prepare, expected) => {
  const web = make('acme/web')
  web.commit({ a: '1' }, 'First')
  web.git('branch', 'trunk')
  web.git('checkout', '-q', '-b', 'feature')
  prepare(web)
  expect(await branchOf()).toBe(expected)
  web.git('checkout', '-q', '--detach')
  expect(await branchOf()).toBe(expected)
})

test('the default branch exists, even if HEAD names none that does', async () => {
  const web = make('acme/web')
  web.commit({ a: '1' }, 'First')
  web.git('branch', '-m', 'main', 'trunk')
  web.git('branch', 'other', web.commit({ a: '2' }, 'Second'))
  web.git('checkout', '-q', '--detach', 'trunk')
  web.git('reset', '-q', '--hard', 'HEAD~')
  web.git('branch', '-f', 'trunk', 'HEAD')
  expect(await branchOf()).toBe('trunk')
  web.git('branch', '-m', 'trunk', 'zone')
  expect(await branchOf()).toBe('zone')
  web.git('branch', '-D', 'zone')
  expect(await branchOf()).toBe('other')
  web.git('symbolic-ref', 'HEAD', 'refs/heads/unborn')
  expect(await branchOf()).toBe('other')
})

test('the default branch of a bare repository is its HEAD, if that exists', async () => {
  const web = make('acme/web')
  web.commit({ a: '1' }, 'First')
  web.git('branch', 'next')
  const bare = join(folder, 'repos/acme/bare.git')
  web.git('clone', '-q', '--bare', '.', bare)
  expect(await branchOf('acme/bare')).toBe('main')
  web.git('-C', bare, 'symbolic-ref', 'HEAD', 'refs/heads/next')
  expect(await branchOf('acme/bare')).toBe('next')
  web.git('-C', bare, 'symbolic-ref', 'HEAD', 'refs/heads/unborn')
  expect(await branchOf('acme/bare')).toBe('next')
})
