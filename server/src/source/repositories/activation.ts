import { randomBytes } from 'node:crypto'
import type { Repo, User } from '@flightdeck/api'
import { inTransaction, type Db } from '../../store/open.ts'
import { deleteMarker } from '../../store/refs.ts'
import { findRepo, findRepoInternals, updateRepo, updateRepoInternals } from '../../store/repos.ts'
import { discardRefs, recordMirrorRefs, recordRefs } from '../refs/record-refs.ts'

/** What docs/api §2.3 fills in where it is empty. */
const standardFile = '.drone.yml'
const standardTimeout = 60

/** 32 characters, as clients of the secret's encryption expect (docs/api §2.3). */
const randomKey = (): string => randomBytes(16).toString('hex')

/** Makes a repository buildable; its refs as they are now start nothing. */
export async function enableRepository(db: Db, given: Repo, by: User, now: number): Promise<Repo> {
  const internals = await findRepoInternals(db, given.id)
  // Before it is active, so that the watcher never sees it without.
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
  // In one transaction: a build that starts meanwhile counts on the same row, and is made only where the refs are known.
  const repo = await inTransaction(db, async (tx) => {
    // Commits that arrive meanwhile must not start a build when it is enabled again.
    await deleteMarker(tx, given.id)
    return updateRepo(tx, { ...((await findRepo(tx, given.id)) ?? given), active: false })
  })
  await discardRefs(db, given.id, now)
  return repo
}
