/** The refs as they were when they were last looked at: what moved since then starts builds. */
import { inTransaction, type Db } from './open.ts'

/** Ref name → commit. */
export const listRefs = async (db: Db, repoId: number): Promise<Map<string, string>> =>
  new Map(
    (await db.selectFrom('refs').select(['ref_name', 'ref_sha']).where('ref_repo_id', '=', repoId).execute()).map(
      (row) => [row.ref_name, row.ref_sha],
    ),
  )

export const setRef = async (db: Db, repoId: number, name: string, sha: string, now: number): Promise<void> => {
  await db
    .insertInto('refs')
    .values({ ref_repo_id: repoId, ref_name: name, ref_sha: sha, ref_seen: now })
    .onConflict((conflict) =>
      conflict.columns(['ref_repo_id', 'ref_name']).doUpdateSet({ ref_sha: sha, ref_seen: now }),
    )
    .execute()
}

export const deleteRef = async (db: Db, repoId: number, name: string): Promise<void> => {
  await db.deleteFrom('refs').where('ref_repo_id', '=', repoId).where('ref_name', '=', name).execute()
}

/** Replaces all refs of a repository: at activation, so that only later changes start builds. */
export const replaceRefs = (db: Db, repoId: number, refs: ReadonlyMap<string, string>, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await tx.deleteFrom('refs').where('ref_repo_id', '=', repoId).execute()
    for (const [name, sha] of refs) await setRef(tx, repoId, name, sha, now)
  })
