import type { Db } from '../../store/open.ts'
import { listRefs, markerRef, replaceRefs, setRefs } from '../../store/refs.ts'
import { findGitDir } from '../repositories/git-dir.ts'
import { mirrorScope, readRefs, type Refs } from './read-refs.ts'

/**
 * Records the current refs as seen: refs that exist at the first check start no builds, and every
 * later change does. A folder that cannot be found is not checked; its first check is when it is
 * restored.
 */
export async function recordRefs(db: Db, repoId: number, path: string, now: number): Promise<void> {
  const gitDir = await findGitDir(path)
  // Adds to the map instead of copying it, which took 110 ms for 240,000 refs.
  const refs = gitDir && (await readRefs(gitDir.commonDir)).set(markerRef, 'seen')
  await replaceRefs(db, repoId, refs, now)
}

/**
 * The marker of a mirror whose merge requests are recorded too. Earlier versions of Flightdeck
 * recorded only branches, tags and pull requests.
 */
const mirrorMarker = 'seen with merge requests'

/** The same for the mirror of a forge. */
export async function recordMirrorRefs(db: Db, repoId: number, path: string, now: number): Promise<void> {
  const gitDir = await findGitDir(path)
  const refs = gitDir && (await readRefs(gitDir.commonDir, mirrorScope)).set(markerRef, mirrorMarker)
  await replaceRefs(db, repoId, refs, now)
}

/**
 * The recorded refs of a mirror, without the marker; `null` if they were never recorded. In a
 * mirror that an earlier version recorded, merge requests that no webhook reported count as seen,
 * so that an update of Flightdeck does not build all of them.
 */
export async function listMirrorRefs(
  db: Db,
  { repoId, refs, now }: { repoId: number; refs: Refs; now: number },
): Promise<Refs | null> {
  const recorded = await listRefs(db, repoId)
  const marker = recorded.get(markerRef)
  recorded.delete(markerRef)
  if (marker === undefined || marker === mirrorMarker) return marker === undefined ? null : recorded
  const isUnseen = ([ref]: readonly [string, string]) => ref.startsWith('refs/merge-requests/') && !recorded.has(ref)
  const unseen = [...refs].filter(isUnseen)
  await setRefs(db, repoId, [...unseen, [markerRef, mirrorMarker]], now)
  for (const [ref, sha] of unseen) recorded.set(ref, sha)
  return recorded
}

export const discardRefs = (db: Db, repoId: number, now: number): Promise<void> => replaceRefs(db, repoId, null, now)
