import type { Db } from '../../store/open.ts'
import { replaceRefs } from '../../store/refs.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { readRefs } from './read.ts'

/** Not the name of a branch or tag, so it can tell "looked at, and empty" from "never looked at". */
export const markerRef = 'HEAD'

/** Takes the refs as seen: what is there at activation starts no builds, every later change does. */
export async function recordRefs(db: Db, repoId: number, path: string, now: number): Promise<void> {
  const gitDir = await findGitDir(path)
  const refs = gitDir ? (await readRefs(gitDir.commonDir)).refs : new Map<string, string>()
  await replaceRefs(db, repoId, new Map([...refs, [markerRef, 'seen']]), now)
}

export const forgetRefs = (db: Db, repoId: number, now: number): Promise<void> =>
  replaceRefs(db, repoId, new Map(), now)
