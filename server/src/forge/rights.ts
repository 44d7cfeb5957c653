/**
 * The current permissions on the forge: requested again on access when they are some minutes old,
 * and immediately after a refusal.
 */
import type { Repo, User } from '@flightdeck/api'
import { findForgeAccount, listForgeAccountsToCheck, setForgeChecked } from '../store/forge-accounts.ts'
import { findRightSyncTime } from '../store/forge-repos.ts'
import { deletePermissions } from '../store/permissions.ts'
import { findRepo, findRepoInternals } from '../store/repos.ts'
import { findUser, updateUser } from '../store/users.ts'
import { runAsActor } from '../lib/audit-context.ts'
import { countEntries, createLruCache } from '../lib/cache.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError } from './driver.ts'
import { signOut } from './sign-out.ts'
import { storeWithRights } from './sync.ts'
import { NoToken } from './tokens.ts'

/** Seconds. */
const maxRightAge = 180
const maxAccountAge = 150
/** A person that read a repository within this time may still have its page open. */
const watchedSeconds = 3600
const maxWatched = 5_000
const checkMs = 30_000
const asksAtOnce = 4

export interface Rights {
  recheckSoon(user: User, repo: Repo): void
  /** Asks the forge about one right now. */
  recheck(userId: number, repoId: number): Promise<void>
  stop(): Promise<void>
}

export function startRights(forge: ForgeContext, isStillMember: (userId: number) => Promise<boolean>): Rights {
  const { db, driver, tokens, now, stopped } = forge
  /** `user repository` → when it was last viewed. */
  const watched = createLruCache<{ userId: number; repoId: number }>({
    maxSize: maxWatched,
    sizeOf: countEntries,
    ttlMs: watchedSeconds * 1000,
    now: () => now() * 1000,
  })
  const asking = new Map<string, Promise<void>>()
  let working: Promise<void> = Promise.resolve()

  async function read(userId: number, repoId: number): Promise<void> {
    const repo = await findRepo(db, repoId)
    if (!repo || !(await findRepoInternals(db, repoId))?.forge || !(await findForgeAccount(db, userId))) return
    try {
      const at = await tokens.use(userId, (token) => driver.repositoryById(token, repo.uid, stopped))
      if (at && at.id === repo.uid) await storeWithRights(forge, userId, [at])
      else await runAsActor(undefined, () => deletePermissions(db, userId, repoId))
    } catch (error) {
      if (error instanceof NoToken) return signOut(db, userId)
      const isRefused = error instanceof ForgeError && /^(forbidden|not-found)$/.test(error.failure)
      // A forge that is down takes no right away.
      if (isRefused) await runAsActor(undefined, () => deletePermissions(db, userId, repoId))
    }
  }

  function recheck(userId: number, repoId: number): Promise<void> {
    const key = `${userId} ${repoId}`
    const pending = asking.get(key)
    if (pending) return pending
    const work = read(userId, repoId)
      .catch((error: unknown) => forge.log('permissions could not be read', error))
      .finally(() => asking.delete(key))
    asking.set(key, work)
    return work
  }

  async function askIfOld({ userId, repoId }: { userId: number; repoId: number }): Promise<void> {
    const synced = await findRightSyncTime(db, userId, repoId)
    if (synced === null || now() - synced < maxRightAge || asking.size >= asksAtOnce * 4) return
    await recheck(userId, repoId)
  }

  async function checkAccounts(): Promise<void> {
    for (const account of await listForgeAccountsToCheck(db, now() - maxAccountAge, now())) {
      if (stopped.aborted) return
      try {
        const person = await tokens.use(account.userId, (token) => driver.currentUser(token, stopped))
        const user = await findUser(db, account.userId)
        // A different user behind the same token is not trusted.
        if (person.id !== account.uid || !user || !(await isStillMember(account.userId)))
          await signOut(db, account.userId)
        else if ((user.external ?? false) !== person.external)
          await runAsActor(undefined, () => updateUser(db, user.id, { external: person.external }))
        await setForgeChecked(db, account.userId, person.login, now())
      } catch (error) {
        if (error instanceof NoToken) await signOut(db, account.userId)
        else if (error instanceof ForgeError && error.failure === 'forbidden') await signOut(db, account.userId)
        // Marked as checked even if it fails, or the others would wait for it.
        else await setForgeChecked(db, account.userId, account.login, now() - maxAccountAge / 2)
      }
    }
  }

  async function round(): Promise<void> {
    const list = [...watched.entries()].map(([, entry]) => entry)
    for (let at = 0; at < list.length && !stopped.aborted; at += asksAtOnce)
      await Promise.all(list.slice(at, at + asksAtOnce).map(askIfOld))
    await checkAccounts()
  }

  const timer = setInterval(() => {
    working = working.then(round).catch((error: unknown) => forge.log('permissions could not be checked', error))
  }, checkMs)
  timer.unref()

  return {
    recheck,
    recheckSoon(user, repo) {
      const entry = { userId: user.id, repoId: repo.id }
      watched.set(`${user.id} ${repo.id}`, entry)
      void askIfOld(entry).catch((error: unknown) => forge.log('permissions could not be checked', error))
    },
    async stop() {
      clearInterval(timer)
      await working
      await Promise.all(asking.values())
    },
  }
}
