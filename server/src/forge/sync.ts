/** A person's repositories and rights, page by page. */
import type { User } from '@flightdeck/api'
import type { SyncProgress, SyncState } from '../interfaces/forge.ts'
import { runAsActor } from '../lib/audit-context.ts'
import { publicMessage } from '../lib/public-text.ts'
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
  /** Concurrent calls for the same user share one sync. */
  run(user: User): Promise<void>
  state(userId: number): SyncState
}

export const rowsOf = ({ driver, mirrors }: ForgeContext) => ({
  driver,
  pathOf: (repoId: number) => mirrors.path(repoId),
})

/**
 * Stores the repositories and rights that a user's token returns. Returns those whose name a local
 * folder has.
 */
export const storeWithRights = (
  forge: ForgeContext,
  userId: number,
  some: readonly ForgeRepository[],
): Promise<ForgeRepository[]> =>
  // These changes are not made by the user, so the audit log omits them.
  runAsActor(undefined, () =>
    inTransaction(forge.db, async (tx) => {
      const refused: ForgeRepository[] = []
      for (const at of some) {
        const repo = await storeRepository(tx, rowsOf(forge), at, forge.now())
        if (!repo) {
          refused.push(at)
          continue
        }
        const key = { userId, repoId: repo.id }
        if (at.permissions.read || at.permissions.write || at.permissions.admin)
          await setPermissions(tx, key, at.permissions, forge.now())
        else await deletePermissions(tx, userId, repo.id)
      }
      return refused
    }),
  )

interface Outcome {
  error: string
  refused: string[]
  refusedCount: number
}

/** Names in the answer of `GET /api/user/sync`. */
const maxRefused = 100
/** The number of users whose last sync is remembered. */
const maxOutcomes = 10_000

const refuse = (outcome: Outcome, { namespace, name }: ForgeRepository, reason: string): void => {
  outcome.refusedCount += 1
  if (outcome.refused.length < maxRefused) outcome.refused.push(`${namespace}/${name}`.slice(0, 400) + `: ${reason}`)
}

export function createSync(forge: ForgeContext): Sync {
  const running = new Map<number, { work: Promise<void>; progress: SyncProgress }>()
  const outcomes = new Map<number, Outcome>()

  function remember(userId: number, outcome: Outcome): void {
    outcomes.delete(userId)
    outcomes.set(userId, outcome)
    const [oldest] = outcomes.keys()
    if (outcomes.size > maxOutcomes && oldest !== undefined) outcomes.delete(oldest)
  }

  async function read(user: User, progress: SyncProgress, outcome: Outcome): Promise<void> {
    const startedAt = forge.now()
    const { db, driver, stopped } = forge
    await forge.tokens.use(user.id, async (token) => {
      progress.done = 0
      outcome.refused = []
      outcome.refusedCount = 0
      for await (const page of driver.repositories(token, stopped)) {
        note(progress, page)
        const usable = page.repositories.filter((at) => {
          const isUsable = isAddressable(at)
          if (!isUsable) refuse(outcome, at, 'its name can’t be used in an address')
          return isUsable
        })
        for (let at = 0; at < usable.length; at += rowsAtOnce) {
          const taken = await storeWithRights(forge, user.id, usable.slice(at, at + rowsAtOnce))
          for (const one of taken) refuse(outcome, one, 'a folder on this machine has the same name')
        }
      }
    })
    // What was not among them is not the person's any more.
    await runAsActor(undefined, () => dropStaleRights(db, user.id, startedAt))
    if (outcome.refusedCount > 0)
      forge.log(
        `repositories of ${user.login} that the sync skipped: ${outcome.refusedCount}, such as ${outcome.refused[0] ?? ''}`,
      )
  }

  async function run(user: User, progress: SyncProgress): Promise<void> {
    const outcome: Outcome = { error: '', refused: [], refusedCount: 0 }
    await updateUser(forge.db, user.id, { syncing: true })
    try {
      await read(user, progress, outcome)
      await updateUser(forge.db, user.id, { synced: forge.now() })
    } catch (error) {
      outcome.error = publicMessage(error)
      throw error
    } finally {
      remember(user.id, outcome)
      await updateUser(forge.db, user.id, { syncing: false })
    }
  }

  return {
    run(user) {
      const pending = running.get(user.id)
      if (pending) return pending.work
      const progress: SyncProgress = { done: 0 }
      const work = run(user, progress).finally(() => running.delete(user.id))
      running.set(user.id, { work, progress })
      return work
    },
    state(userId) {
      const { error = '', refused = [], refusedCount = 0 } = outcomes.get(userId) ?? {}
      return { running: running.get(userId)?.progress ?? null, error, refused, refusedCount }
    },
  }
}

function note(progress: SyncProgress, { repositories, total }: RepositoryPage): void {
  progress.done += repositories.length
  if (total !== undefined) progress.total = total
}
