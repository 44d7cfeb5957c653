/** A person's repositories and rights, page by page. */
import type { User } from '@flightdeck/api'
import type { SyncProgress } from '../interfaces/forge.ts'
import { dropStaleRights } from '../store/forge-repos.ts'
import { inTransaction } from '../store/open.ts'
import { deletePermissions, setPermissions } from '../store/permissions.ts'
import { updateUser } from '../store/users.ts'
import type { ForgeContext } from './context.ts'
import type { ForgeRepository, RepositoryPage } from './driver.ts'
import { isAddressable, storeRepository } from './rows.ts'

/** Repositories in one transaction: others have their turn in between. */
const rowsAtOnce = 50

export interface Sync {
  /** Those who ask for the same person meanwhile share one. */
  run(user: User): Promise<void>
  progress(userId: number): SyncProgress | null
}

export const rowsOf = ({ driver, mirrors }: ForgeContext) => ({
  driver,
  pathOf: (repoId: number) => mirrors.path(repoId),
})

/** Stores what a person's token says of one repository, with the person's rights. */
export const storeWithRights = (forge: ForgeContext, userId: number, some: readonly ForgeRepository[]): Promise<void> =>
  inTransaction(forge.db, async (tx) => {
    for (const at of some) {
      const repo = await storeRepository(tx, rowsOf(forge), at, forge.now())
      if (!repo) continue
      const key = { userId, repoId: repo.id }
      if (at.permissions.read || at.permissions.write || at.permissions.admin)
        await setPermissions(tx, key, at.permissions, forge.now())
      else await deletePermissions(tx, userId, repo.id)
    }
  })

export function createSync(forge: ForgeContext): Sync {
  const running = new Map<number, { work: Promise<void>; progress: SyncProgress }>()

  async function read(user: User, progress: SyncProgress): Promise<void> {
    const began = forge.now()
    const { db, driver, stopped } = forge
    let ignored = 0
    await forge.tokens.use(user.id, async (token) => {
      progress.done = 0
      for await (const page of driver.repositories(token, stopped)) {
        note(progress, page)
        const usable = page.repositories.filter(isAddressable)
        ignored += page.repositories.length - usable.length
        for (let at = 0; at < usable.length; at += rowsAtOnce)
          await storeWithRights(forge, user.id, usable.slice(at, at + rowsAtOnce))
      }
    })
    // What was not among them is not the person's any more.
    await dropStaleRights(db, user.id, began)
    if (ignored > 0) forge.log(`${ignored} repositories of ${user.login} have names that cannot be addresses here`)
  }

  async function run(user: User, progress: SyncProgress): Promise<void> {
    await updateUser(forge.db, user.id, { syncing: true })
    try {
      await read(user, progress)
      await updateUser(forge.db, user.id, { synced: forge.now() })
    } finally {
      await updateUser(forge.db, user.id, { syncing: false })
    }
  }

  return {
    run(user) {
      const known = running.get(user.id)
      if (known) return known.work
      const progress: SyncProgress = { done: 0 }
      const work = run(user, progress).finally(() => running.delete(user.id))
      running.set(user.id, { work, progress })
      return work
    },
    progress: (userId) => running.get(userId)?.progress ?? null,
  }
}

function note(progress: SyncProgress, { repositories, total }: RepositoryPage): void {
  progress.done += repositories.length
  if (total !== undefined) progress.total = total
}
