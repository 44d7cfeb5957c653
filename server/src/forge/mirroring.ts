/**
 * Keeps a repository's mirror in sync with the forge: after a hook, on demand, and every few
 * minutes.
 */
import type { Repo } from '@flightdeck/api'
import { MirrorError } from '../interfaces/mirrors.ts'
import { findForgeRepoState, setForgeRepoState } from '../store/forge-repos.ts'
import { publicMessage } from '../lib/public-text.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError } from './driver.ts'
import { asOwner } from './owners.ts'

/** A fetch may take long; the token must outlive its beginning. */
const minTokenMs = 10 * 60_000

/**
 * Brings the mirror up to date with the token of an owner. What went wrong is kept for the
 * settings, and thrown.
 */
export async function updateMirror(forge: ForgeContext, repo: Repo): Promise<void> {
  const { db, driver, mirrors, tokens, now, stopped } = forge
  try {
    await asOwner(forge, repo, async (_, user) => {
      const token = await tokens.validToken(user.id, minTokenMs)
      const { login, password } = driver.netrc(token)
      await mirrors
        .fetch(repo.id, {
          url: driver.fetchUrl(repo),
          credential: { login, password },
          defaultBranch: repo.default_branch,
          pulls: driver.kind === 'gitlab' ? 'merge-requests' : 'pull',
          signal: stopped,
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof MirrorError && error.denied)) throw error
          // A token may end before its time: then this throws `unauthorized`, and the fetch is
          // repeated with a refreshed one.
          await driver.currentUser(token, stopped)
          throw new ForgeError('forbidden', `git was refused: ${error.message}`)
        })
    })
    await setForgeRepoState(db, repo.id, {
      mirrorFetched: now(),
      mirrorError: '',
      mirrorBytes: await mirrors.size(repo.id),
    })
  } catch (error) {
    if (stopped.aborted) throw error
    const before = await findForgeRepoState(db, repo.id)
    const message = publicMessage(error)
    // Once, not at every attempt.
    if (before?.mirrorError !== message) forge.log(`the mirror of ${repo.slug} could not be fetched`, error)
    await setForgeRepoState(db, repo.id, { mirrorFetched: now(), mirrorError: message })
    throw error
  }
}
