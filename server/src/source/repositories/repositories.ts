import type { Repo, User } from '@flightdeck/api'
import { welcomeRepos, type DefaultAccess } from '../../store/default-access.ts'
import { inTransaction, type Db } from '../../store/open.ts'
import { listPermittedRepoIds, setPermissions } from '../../store/permissions.ts'
import { createRepo, findRepo, listRepoPlaces, updateRepo, updateRepoInternals } from '../../store/repos.ts'
import { listUsers, updateUser } from '../../store/users.ts'
import type { Git } from '../git/git.ts'
import { disableRepository, enableRepository } from './activation.ts'
import { discover, type FoundRepository, type Problem } from './discover.ts'
import type { Ci } from '../../interfaces/ci.ts'

export interface RepositoriesOptions {
  db: Db
  git: Git
  /** Folders that contain `{namespace}/{name}[.git]`: `--repos`, and the folder of the sample. */
  folders: readonly string[]
  publicUrl: string
  /** The access that every user has to a new repository; `none` by default. */
  defaultAccess?: DefaultAccess
  /** Returns Unix seconds. */
  now: () => number
}

export interface Repositories extends Pick<Ci, 'sync' | 'enable' | 'disable' | 'refused'> {
  /** Scans the folders and updates the rows; concurrent callers share one scan. */
  syncAll(): Promise<void>
  /** The problems of the last scan, for users. */
  problems(): readonly Problem[]
}

const allRights = { read: true, write: true, admin: true }

/**
 * Removes the folder's path, which is not public. In a command it cannot be omitted, so three dots
 * replace it.
 */
const withoutFolder = (text: string, folder: string): string =>
  text.replaceAll(`'${folder}/`, `'.../`).replaceAll(`${folder}/`, '')

export function createRepositories(options: RepositoriesOptions): Repositories {
  let problems: readonly Problem[] = []
  let running: Promise<void> | undefined

  async function read(): Promise<void> {
    await options.git.refreshTrust()
    const defaultBranches = new Map((await listRepoPlaces(options.db)).map((row) => [row.uid, row.default_branch]))
    const refusal = (path: string, folders: readonly string[]) => options.git.refusal(path, folders)
    const discovery = await discover(options.folders, refusal, defaultBranches)
    await syncRows(options, discovery.found)
    problems = discovery.problems
  }

  function syncAll(): Promise<void> {
    running ??= read().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    syncAll,
    async sync(user) {
      await updateUser(options.db, user.id, { syncing: true })
      try {
        await syncAll()
      } finally {
        await updateUser(options.db, user.id, { syncing: false, synced: options.now() })
      }
    },
    enable: (repo, by) => enableRepository(options.db, repo, by, options.now()),
    disable: (repo) => disableRepository(options.db, repo, options.now()),
    problems: () => problems,
    // Names repositories relative to `--repos`, because only the operator should know that folder's
    // path.
    refused: () =>
      problems.map(({ message }) => options.folders.reduce((text, at) => withoutFolder(text, at), message)),
  }
}

/** Rows are never deleted: a removed folder can be restored, and its builds remain useful. */
async function syncRows(options: RepositoriesOptions, found: readonly FoundRepository[]): Promise<void> {
  const { db, publicUrl, now, defaultAccess = 'none' } = options
  await inTransaction(db, async (tx) => {
    const rows = new Map((await listRepoPlaces(tx)).map((row) => [row.uid, row]))
    const existingIds = new Set([...rows.values()].map(({ id }) => id))
    const present = new Set<number>()
    for (const repository of found) {
      const facts = { ...addresses(repository, publicUrl), default_branch: repository.defaultBranch }
      const row = rows.get(uidOf(repository))
      if (!row) {
        present.add((await create(tx, repository, facts, now())).id)
        continue
      }
      present.add(row.id)
      if (differs(row, facts)) {
        const repo = await findRepo(tx, row.id)
        if (repo) await updateRepo(tx, { ...repo, ...facts, synced: now() })
      }
      if (row.path !== repository.path || row.missing) {
        await updateRepoInternals(tx, row.id, { path: repository.path, missing: false })
      }
    }
    for (const { id, missing } of rows.values()) {
      if (!missing && !present.has(id)) await updateRepoInternals(tx, id, { missing: true })
    }
    const created = [...present].filter((id) => !existingIds.has(id))
    for (const user of await listUsers(tx)) if (user.admin) await grantAll(tx, user, present, now())
    await welcomeRepos(tx, created, defaultAccess, now())
  })
}

type Facts = Pick<Repo, 'default_branch' | 'git_http_url' | 'link'>

/** Relative to `--repos`, so that the value stays the same when the whole folder is moved. */
const uidOf = ({ namespace, name }: FoundRepository): string => `${namespace}/${name}`

const addresses = (repository: FoundRepository, publicUrl: string) => ({
  git_http_url: `${publicUrl}/${uidOf(repository)}.git`,
  link: `${publicUrl}/link/${uidOf(repository)}`,
})

const differs = (row: Facts, facts: Facts): boolean =>
  row.default_branch !== facts.default_branch || row.git_http_url !== facts.git_http_url || row.link !== facts.link

function create(db: Db, { namespace, name, path }: FoundRepository, facts: Facts, now: number): Promise<Repo> {
  const uid = `${namespace}/${name}`
  // Only users with a permission row can see the repository until its visibility is changed.
  return createRepo(db, { uid, namespace, name, path, ...facts, private: true, visibility: 'private', now })
}

/** Gives administrators full access. A row that a user has changed stays unchanged. */
async function grantAll(db: Db, user: User, repoIds: ReadonlySet<number>, now: number): Promise<void> {
  const permitted = new Set(await listPermittedRepoIds(db, user.id))
  for (const repoId of repoIds) {
    if (!permitted.has(repoId))
      await setPermissions(db, { userId: user.id, repoId }, allRights, now, { fromRole: true })
  }
}
