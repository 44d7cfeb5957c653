import { randomBytes } from 'node:crypto'
import type { Repo, User } from '@flightdeck/api'
import { inTransaction, type Db } from '../../store/open.ts'
import { deleteMarker } from '../../store/refs.ts'
import { findRepo, findRepoInternals, updateRepo, updateRepoInternals } from '../../store/repos.ts'
import { discardRefs, recordMirrorRefs, recordRefs } from '../refs/record-refs.ts'

/** The defaults for empty settings (docs/api §2.3). */
const standardFile = '.drone.yml'
const standardTimeout = 60

/** 32 characters, as clients of the secret's encryption expect (docs/api §2.3). */
const randomKey = (): string => randomBytes(16).toString('hex')

/** Enables builds for a repository. Its current refs start no builds. */
export async function enableRepository(db: Db, given: Repo, by: User, now: number): Promise<Repo> {
  const internals = await findRepoInternals(db, given.id)
  // Records the refs before the repository is active, so that the watcher never finds it without
  // them.
  if (internals && !given.active) {
    const record = internals.forge ? recordMirrorRefs : recordRefs
    await record(db, given.id, internals.path, now)
  }
  return inTransaction(db, async (tx) => {
    const repo = (await findRepo(tx, given.id)) ?? given
    await updateRepoInternals(tx, repo.id, {
      signer: internals?.signer || randomKey(),
      secret: internals?.secret || randomKey(),
    })
    return updateRepo(tx, {
      ...repo,
      active: true,
      user_id: by.id,
      config_path: repo.config_path || standardFile,
      timeout: repo.timeout || standardTimeout,
    })
  })
}

export async function disableRepository(db: Db, given: Repo, now: number): Promise<Repo> {
  // One transaction: a build that starts at the same time updates the same row, and is only created
  // if the refs are recorded.
  const repo = await inTransaction(db, async (tx) => {
    // Commits that arrive while the repository is disabled must not start a build when it is
    // enabled again.
    await deleteMarker(tx, given.id)
    return updateRepo(tx, { ...((await findRepo(tx, given.id)) ?? given), active: false })
  })
  await discardRefs(db, given.id, now)
  return repo
}
