import { join } from 'node:path'
import type { PrepareClone } from '../../interfaces/runner.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { findRefs } from '../refs/read-refs.ts'
import { ownObjects } from './repository-files.ts'
import { readFacts, writeView } from './repository-view.ts'

/**
 * Returns the repository from which the clone step of the built-in runner fetches. Throws if `from`
 * is not a repository that may be read.
 */
export const cloneSource: PrepareClone = async (folder, from, { refs: names = [], mounted } = {}) => {
  const gitDir = await findGitDir(from)
  if (!gitDir) throw new Error('The repository is gone, or is not a git repository')
  const { objects } = await ownObjects(gitDir.commonDir)
  const facts = await readFacts(gitDir.commonDir)
  const repository = join(folder, 'repository')
  const refs = await findRefs(gitDir.commonDir, names)
  await writeView(repository, { commonDir: gitDir.commonDir, objects: mounted?.objects ?? objects, refs, facts })
  return { repository, objects, refs, facts }
}
