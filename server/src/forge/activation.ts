/**
 * Activating a repository of the forge: its mirror, then its webhook; disabling it: without the
 * hook.
 */
import { randomBytes } from 'node:crypto'
import type { Repo, User } from '@flightdeck/api'
import { findForgeAccount } from '../store/forge-accounts.ts'
import { findForgeRepoState, setForgeRepoState } from '../store/forge-repos.ts'
import { findRepo, updateRepoInternals } from '../store/repos.ts'
import { Refusal } from '../lib/refusal.ts'
import { publicMessage } from '../lib/public-text.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError } from './driver.ts'
import { refreshFacts } from './facts.ts'
import { updateMirror } from './mirroring.ts'
import { asOwner, NoOwner, refOf } from './owners.ts'
import { storeWithRights } from './sync.ts'
import { NoToken } from './tokens.ts'

/**
 * How long a request waits for the first fetch of a large repository, which continues in the
 * background.
 */
const maxWaitMs = 45_000
const stillFetching = 'The repository is still being fetched'

/** What went wrong at the forge, as the answer of a call. */
export function refusalOf(forge: ForgeContext, error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error instanceof NoToken || error instanceof NoOwner) return new Refusal(409, error.message)
  if (!(error instanceof ForgeError)) return new Refusal(502, publicMessage(error))
  if (error.failure === 'unavailable' || error.failure === 'rate-limited')
    return new Refusal(503, error.message, Math.ceil((error.retryAfterMs ?? 10_000) / 1000))
  return new Refusal(502, `${forge.driver.title}: ${error.message}`)
}

/** As the forge says it now: rights may have been taken away since the last sync. */
async function checkRights(forge: ForgeContext, repo: Repo, by: User): Promise<void> {
  // An administrator without an account on the forge uses the token of a user who has one.
  if (!(await findForgeAccount(forge.db, by.id))) return
  const at = await forge.tokens.use(by.id, (token) => forge.driver.repositoryById(token, repo.uid, forge.stopped))
  if (!at) throw new Refusal(404, 'Not Found')
  await storeWithRights(forge, by.id, [at])
  if (!at.permissions.admin && !by.admin)
    throw new Refusal(403, `Only administrators of the repository on ${forge.driver.title} can activate it`)
}

/** A slower fetch is refused with this message but continues in the background. */
async function inTime(fetching: Promise<void>, message: string): Promise<void> {
  fetching.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(503, message, 60)), maxWaitMs)
  })
  try {
    await Promise.race([fetching, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Installs the hook with its own secret. If that fails, enabling still succeeds: the hook can be
 * set up manually.
 */
async function installHook(forge: ForgeContext, repo: Repo): Promise<void> {
  const { db, box, driver, hookUrl, stopped } = forge
  const state = await findForgeRepoState(db, repo.id)
  const secret = state?.hookSecret ? box.decrypt(state.hookSecret) : randomBytes(24).toString('base64url')
  // Stored before the hook is installed: a webhook may arrive immediately.
  await setForgeRepoState(db, repo.id, { hookSecret: box.encrypt(secret) })
  try {
    const hook = await asOwner(forge, repo, (token) =>
      driver.installHook(token, refOf(repo), { url: hookUrl, secret }, stopped),
    )
    await setForgeRepoState(db, repo.id, { hookId: hook.id, hookError: '' })
  } catch (error) {
    forge.log(`${repo.slug}: the webhook could not be installed`, error)
    await setForgeRepoState(db, repo.id, { hookId: '', hookError: publicMessage(error) })
  }
}

export interface Activation {
  enable(repo: Repo, by: User): Promise<Repo>
  disable(repo: Repo): Promise<Repo>
  /** Facts, webhook and mirror as if it were activated now. Throws a `Refusal`. */
  repair(repo: Repo): Promise<Repo>
  /**
   * Fetches the mirror. Throws a `Refusal`, also if it takes long; the fetch then continues in the
   * background.
   */
  fetch(fetching: Promise<void>): Promise<void>
}

export function createActivation(forge: ForgeContext): Activation {
  const { db, driver, mirrors } = forge
  /** Per repository: two concurrent activations would install two hooks. */
  const busy = new Map<number, Promise<unknown>>()

  function alone<T>(repoId: number, work: () => Promise<T>): Promise<T> {
    const before = busy.get(repoId) ?? Promise.resolve()
    const next = before.catch(() => {}).then(work)
    busy.set(repoId, next)
    const discard = () => {
      if (busy.get(repoId) === next) busy.delete(repoId)
    }
    next.then(discard, discard)
    return next
  }
  const current = async (repo: Repo): Promise<Repo> => (await findRepo(db, repo.id)) ?? repo

  return {
    enable: (given, by) =>
      alone(given.id, async () => {
        try {
          await checkRights(forge, given, by)
          const repo = await current(given)
          await inTime(
            updateMirror(forge, repo),
            'The repository is still being fetched. Activate it again in a minute',
          )
          await updateRepoInternals(db, repo.id, { path: mirrors.path(repo.id), missing: false })
          // The user whose token has just worked becomes the owner.
          const owner = await asOwner(forge, repo, async (_, user) => user)
          const enabled = await forge.activate(await current(given), owner)
          await installHook(forge, enabled)
          return await current(enabled)
        } catch (error) {
          throw refusalOf(forge, error)
        }
      }),
    repair: (given) =>
      alone(given.id, async () => {
        try {
          const repo = await refreshFacts(forge, await current(given))
          if (!repo) throw new Refusal(404, 'Not Found')
          if (repo.active) {
            await installHook(forge, repo)
            await inTime(updateMirror(forge, repo), stillFetching)
          }
          return await current(repo)
        } catch (error) {
          throw refusalOf(forge, error)
        }
      }),
    fetch: (fetching) =>
      inTime(fetching, stillFetching).catch((error: unknown) => {
        throw refusalOf(forge, error)
      }),
    disable: (given) =>
      alone(given.id, async () => {
        const repo = await forge.deactivate(await current(given))
        await asOwner(forge, repo, (token) => driver.removeHook(token, refOf(repo), forge.hookUrl, forge.stopped)).then(
          () => setForgeRepoState(db, repo.id, { hookId: '', hookSecret: '', hookError: '' }),
          async (error: unknown) => {
            // Disabled nevertheless: further webhooks start no builds.
            forge.log(`${repo.slug}: the webhook could not be removed`, error)
            await setForgeRepoState(db, repo.id, { hookError: `It could not be removed: ${publicMessage(error)}` })
          },
        )
        return current(repo)
      }),
  }
}
