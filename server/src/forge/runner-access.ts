/** What the steps of a build call `origin`, and with what they sign in there. */
import type { Build, Repo, User } from '@flightdeck/api'
import { findRepoInternals } from '../store/repos.ts'
import { timeoutSignal, untilAborted } from '../lib/abort.ts'
import type { ForgeContext } from './context.ts'
import type { Origin } from '../interfaces/origin.ts'
import { ForgeError, type ForgeToken } from './driver.ts'
import { asOwner } from './owners.ts'

/** A token is handed out when a stage starts, and must be valid until its end. */
const minTokenMs = 45 * 60_000

/** A forge that does not say in this time whether it takes the token delays no build. */
const maxCheckMs = 3_000

/**
 * A token that the forge takes for this repository now: the clock alone does not know of one that
 * was revoked. With it the names that the repository has now, for the old ones may be another's.
 * Throws what makes another administrator's token take over.
 */
async function workingToken(
  forge: ForgeContext,
  userId: number,
  repo: Repo,
  signal: AbortSignal,
): Promise<{ token: ForgeToken; names: Pick<Repo, 'namespace' | 'name'> }> {
  const { driver, tokens } = forge
  // Refreshed first: on some forges a refresh ends the token that was checked.
  await tokens.validToken(userId, minTokenMs, signal)
  const check = tokens.use(userId, async (token) => {
    const named = await driver.repositoryByName(token, repo, signal)
    const found = named?.id === repo.uid ? named : await driver.repositoryById(token, repo.uid, signal)
    if (found?.id === repo.uid) return found
    throw new ForgeError('not-found', `${driver.title} hides the repository from this person.`)
  })
  const checked = check.catch((error: unknown) => {
    const isVerdict = !(error instanceof ForgeError) || /^(unauthorized|forbidden|not-found)$/.test(error.failure)
    if (isVerdict) throw error
    return repo
  })
  // The check can wait for a refresh, which other callers need, too: only the wait ends.
  const names = await Promise.race([checked, untilAborted(signal).then(() => repo)])
  return { token: await tokens.validToken(userId, minTokenMs, signal), names }
}

/** Commits of a fork are a stranger's: they get no token of anybody. */
const isForeign = (build: Pick<Build, 'event' | 'source_repo'>, repo: Pick<Repo, 'slug'>): boolean =>
  build.event === 'pull_request' && build.source_repo.toLowerCase() !== repo.slug.toLowerCase()

/**
 * `null` for a repository in a folder; `mirror` for a private one where a fork's commits are built.
 */
export async function findForgeOrigin(
  forge: ForgeContext,
  build: Build,
  repo: Repo,
): Promise<Origin | 'mirror' | null> {
  if (!(await findRepoInternals(forge.db, repo.id))?.forge) return null
  const url = forge.driver.cloneUrl(repo)
  if (!repo.private) return { url, netrc: null }
  if (isForeign(build, repo)) return 'mirror'
  const signal = AbortSignal.any([forge.stopped, timeoutSignal(maxCheckMs)])
  const originFor = async (_: ForgeToken, user: User): Promise<Origin> => {
    const { token, names } = await workingToken(forge, user.id, repo, signal)
    return { url: forge.driver.cloneUrl(names), netrc: forge.driver.netrc(token) }
  }
  try {
    return await asOwner(forge, repo, originFor, signal)
  } catch (error) {
    // The commits come from the mirror anyway; only what a step fetches itself fails.
    forge.log(`${repo.slug}: build ${build.number} gets no credential`, error)
    return { url, netrc: null }
  }
}
