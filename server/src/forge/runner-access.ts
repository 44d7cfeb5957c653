/** What the steps of a build call `origin`, and with what they sign in there. */
import type { Build, Repo } from '@flightdeck/api'
import { findRepoInternals } from '../store/repos.ts'
import { describe, type ForgeContext } from './context.ts'
import type { Origin } from '../interfaces/origin.ts'
import { asOwner } from './owners.ts'

/** A token is handed out when a stage begins, and must do until its end. */
const leastTokenMs = 45 * 60_000

/** Commits of a fork are a stranger's: they get no token of anybody. */
const isForeign = (build: Pick<Build, 'event' | 'source_repo'>, repo: Pick<Repo, 'slug'>): boolean =>
  build.event === 'pull_request' && build.source_repo.toLowerCase() !== repo.slug.toLowerCase()

/** `null` for a repository in a folder; `mirror` for a private one where a fork's commits are built. */
export async function findForgeOrigin(
  forge: ForgeContext,
  build: Build,
  repo: Repo,
): Promise<Origin | 'mirror' | null> {
  if (!(await findRepoInternals(forge.db, repo.id))?.forge) return null
  const url = forge.driver.cloneUrl(repo)
  if (!repo.private) return { url, netrc: null }
  if (isForeign(build, repo)) return 'mirror'
  try {
    return await asOwner(forge, repo, async (_, user) => ({
      url,
      netrc: forge.driver.netrc(await forge.tokens.fresh(user.id, leastTokenMs)),
    }))
  } catch (error) {
    // The commits come from the mirror all the same; only what a step fetches itself fails.
    forge.log(`${repo.slug}: build ${build.number} gets no credential: ${describe(error)}`)
    return { url, netrc: null }
  }
}
