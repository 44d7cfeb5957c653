/**
 * Selects the token for a repository: its owner's, or another administrator's if that is no longer
 * valid.
 */
import type { Repo, User } from '@flightdeck/api'
import { listForgeAdministrators } from '../store/forge-accounts.ts'
import { runAsActor } from '../lib/audit-context.ts'
import { deletePermissions } from '../store/permissions.ts'
import { findRepo, updateRepo } from '../store/repos.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError, type ForgeToken, type RepositoryRef } from './driver.ts'
import { NoToken } from './tokens.ts'

/** No administrator of the repository has a token that works. */
export class NoOwner extends Error {
  constructor(repo: Repo) {
    super(`No administrator of ${repo.slug} is signed in to the Git host: an administrator must sign in again`)
    this.name = 'NoOwner'
  }
}

export const refOf = (repo: Repo): RepositoryRef => ({ id: repo.uid, namespace: repo.namespace, name: repo.name })

/** What another person's token may mend: this one's ended, or lost its rights. */
const isPersonal = (error: unknown): boolean =>
  error instanceof NoToken ||
  (error instanceof ForgeError && /^(unauthorized|forbidden|not-found)$/.test(error.failure))

/** Transfers the repository to the next possible owner, without the rights of the previous one. */
async function handOn({ db, log, driver }: ForgeContext, repo: Repo, to: User): Promise<void> {
  const row = await findRepo(db, repo.id)
  if (!row || row.user_id === to.id) return
  await updateRepo(db, { ...row, user_id: to.id })
  log(`${repo.slug} now uses the token of ${to.login} at ${driver.title}`)
}

/**
 * A commit or a webhook may be what was not found: the repository itself is asked for. A forge that
 * is down takes no right away.
 */
const isHidden = ({ tokens, driver, stopped }: ForgeContext, repo: Repo, user: User): Promise<boolean> =>
  tokens
    .use(user.id, (token) => driver.repositoryById(token, repo.uid, stopped))
    .then(
      (found) => found?.id !== repo.uid,
      () => false,
    )

/**
 * Calls with the owner's token, or with the next administrator's, who then owns the repository.
 * Throws the last failure. `signal` ends the wait for the refresh of a token.
 */
export async function asOwner<T>(
  forge: ForgeContext,
  repo: Repo,
  call: (token: ForgeToken, user: User) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let failure: unknown = new NoOwner(repo)
  for (const user of await listForgeAdministrators(forge.db, repo.id)) {
    try {
      const result = await forge.tokens.use(user.id, (token) => call(token, user), signal)
      await handOn(forge, repo, user)
      return result
    } catch (error) {
      if (!isPersonal(error)) throw error
      failure = error instanceof NoToken ? new NoOwner(repo) : error
      // What the forge hides from a person is not theirs here, either.
      if (error instanceof ForgeError && error.failure === 'not-found' && (await isHidden(forge, repo, user)))
        await runAsActor(undefined, () => deletePermissions(forge.db, user.id, repo.id))
    }
  }
  throw failure
}
