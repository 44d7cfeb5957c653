/** Repositories are switched on and off, and found (wire.md §2.3, §3.6). */
import { randomInt } from 'node:crypto'
import type { Repo, User } from '@flightdeck/api'
import { inTransaction, type Db } from '../store/open.ts'
import { findRepo, findRepoInternals, updateRepo, updateRepoInternals } from '../store/repos.ts'
import { updateUser } from '../store/users.ts'
import { defaultConfigPath } from './config.ts'
import { required } from './context.ts'

/** Minutes. */
export const defaultTimeout = 60

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** 32 letters and digits: as bytes they are the key of AES-256 (wire.md §2.3). */
export const randomKey = (): string => Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The caller becomes the owner; what is empty is filled in, what was set before stays. */
export const enableRepo = (db: Db, repo: Repo, by: User): Promise<Repo> =>
  inTransaction(db, async (tx) => {
    const known = required(await findRepo(tx, repo.id))
    const { signer, secret } = required(await findRepoInternals(tx, repo.id))
    await updateRepoInternals(tx, repo.id, { signer: signer || randomKey(), secret: secret || randomKey() })
    return updateRepo(tx, {
      ...known,
      active: true,
      user_id: by.id,
      config_path: known.config_path || defaultConfigPath,
      timeout: known.timeout || defaultTimeout,
    })
  })

/** The owner stays, so a build by hand still works (wire.md §2.3). */
export const disableRepo = (db: Db, repo: Repo): Promise<Repo> =>
  inTransaction(db, async (tx) => updateRepo(tx, { ...required(await findRepo(tx, repo.id)), active: false }))

/** `syncing` tells clients how long to wait; it ends also when the reading fails (wire.md §3.6). */
export const syncFor = async (db: Db, user: User, read: () => Promise<void>, now: () => number): Promise<void> => {
  await updateUser(db, user.id, { syncing: true })
  try {
    await read()
  } finally {
    await updateUser(db, user.id, { syncing: false, synced: now() })
  }
}
