import type { Db } from '../../store/open.ts'
import { listRefs, markerRef, replaceRefs, setRefs } from '../../store/refs.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { mirrorScope, readRefs, type Refs } from './read-refs.ts'

/**
 * Records the current refs as seen: refs present at the first check start no builds, every later change does. A folder that
 * cannot be found was not checked: when it is back, that is the first check.
 */
export async function recordRefs(db: Db, repoId: number, path: string, now: number): Promise<void> {
  const gitDir = await findGitDir(path)
  // Not a copy of them: of 240,000 that took 110 ms.
  const refs = gitDir && (await readRefs(gitDir.commonDir)).set(markerRef, 'seen')
  await replaceRefs(db, repoId, refs, now)
}

/** The marker of a mirror whose merge requests are recorded, too; earlier versions of Flightdeck recorded branches, tags and pull requests only. */
const mirrorMarker = 'seen with merge requests'

/** The same for the mirror of a forge. */
export async function recordMirrorRefs(db: Db, repoId: number, path: string, now: number): Promise<void> {
  const gitDir = await findGitDir(path)
  const refs = gitDir && (await readRefs(gitDir.commonDir, mirrorScope)).set(markerRef, mirrorMarker)
  await replaceRefs(db, repoId, refs, now)
}

/**
 * What was seen of a mirror, without the marker; `null`: it was never recorded. In a mirror that an earlier version recorded, merge requests
 * that no webhook reported count as seen, so that an update of Flightdeck does not build all of them.
 */
export async function listMirrorRefs(
  db: Db,
  { repoId, refs, now }: { repoId: number; refs: Refs; now: number },
): Promise<Refs | null> {
  const seen = await listRefs(db, repoId)
  const marker = seen.get(markerRef)
  seen.delete(markerRef)
  if (marker === undefined || marker === mirrorMarker) return marker === undefined ? null : seen
  const isUnseen = ([ref]: readonly [string, string]) => ref.startsWith('refs/merge-requests/') && !seen.has(ref)
  const unseen = [...refs].filter(isUnseen)
  await setRefs(db, repoId, [...unseen, [markerRef, mirrorMarker]], now)
  for (const [ref, sha] of unseen) seen.set(ref, sha)
  return seen
}

export const discardRefs = (db: Db, repoId: number, now: number): Promise<void> => replaceRefs(db, repoId, null, now)
