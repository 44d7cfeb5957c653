/** What the forge says of a repository right now. */
import type { Repo } from '@flightdeck/api'
import { runAsActor } from '../lib/audit-context.ts'
import { setForgeRepoState } from '../store/forge-repos.ts'
import { inTransaction } from '../store/open.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError } from './driver.ts'
import { asOwner } from './owners.ts'
import { storeRepository } from './rows.ts'
import { rowsOf } from './sync.ts'

/** The error that the settings show for a deleted repository, which is not checked again. */
export const goneMessage = ({ driver }: Pick<ForgeContext, 'driver'>, repo: Repo): string =>
  `${driver.title} no longer has ${repo.slug}, or none of its administrators here can see it`

/** The current names, privacy and default branch on the forge; `null` for a deleted repository. */
export async function refreshFacts(forge: ForgeContext, repo: Repo): Promise<Repo | null> {
  const { db, driver, stopped } = forge
  const at = await asOwner(forge, repo, async (token) => {
    const found = await driver.repositoryById(token, repo.uid, stopped)
    // Hidden from this person; another administrator may still see it.
    if (found?.id !== repo.uid)
      throw new ForgeError('not-found', `${driver.title} has no such repository, or this person cannot see it`)
    return found
  }).catch((error: unknown) => {
    if (error instanceof ForgeError && error.failure === 'not-found') return null
    throw error
  })
  if (!at) {
    const message = goneMessage(forge, repo)
    forge.log(message)
    await setForgeRepoState(db, repo.id, { isRemoved: true, mirrorError: message })
    return null
  }
  return runAsActor(undefined, () => inTransaction(db, (tx) => storeRepository(tx, rowsOf(forge), at, forge.now())))
}
