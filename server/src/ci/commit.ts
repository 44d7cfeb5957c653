import type { Repo } from '@flightdeck/api'
import { findRepoInternals } from '../store/repos.ts'
import { required, type CiContext } from './context.ts'
import { CiError, type CommitDetails } from './types.ts'

/** More than a page can show. */
const mostFiles = 1_000

/** A commit with what it changed, for the page behind `link` (wire.md §2.10). */
export const readCommit = async (ci: CiContext, repo: Repo, refOrSha: string): Promise<CommitDetails> => {
  const { path } = required(await findRepoInternals(ci.db, repo.id))
  const sha = await ci.git.resolve(path, refOrSha)
  if (sha === null) throw new CiError(404, 'Commit not found')
  const commit = await ci.git.commit(path, sha)
  const files = await ci.git.changedFiles(path, sha, mostFiles + 1)
  return { ...commit, files: files.slice(0, mostFiles), cut: files.length > mostFiles }
}
