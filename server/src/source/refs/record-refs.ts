import type { Db } from '../../store/open.ts'
import { markerRef, replaceRefs } from '../../store/refs.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { readRefs } from './read-refs.ts'

/**
 * Takes the refs as seen: what is there at the first look starts no builds, every later change does. A folder that cannot
 * be found was not looked at: when it is there again, that is the first look.
 */
export async function recordRefs(db: Db, repoId: number, path: string, now: number): Promise<void> {
  const gitDir = await findGitDir(path)
  // Not a copy of them: of 240,000 that took 110 ms.
  const refs = gitDir && (await readRefs(gitDir.commonDir)).set(markerRef, 'seen')
  await replaceRefs(db, repoId, refs, now)
}

export const forgetRefs = (db: Db, repoId: number, now: number): Promise<void> => replaceRefs(db, repoId, null, now)
