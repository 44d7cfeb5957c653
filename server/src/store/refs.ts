/** The refs at the last check. Later changes start builds. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { createKeyedMutex } from '../lib/keyed-mutex.ts'
import type { Db } from './open.ts'

/**
 * Not a valid name of a branch or tag, so it distinguishes "checked, and empty" from "never
 * checked".
 */
export const markerRef = 'HEAD'

/** Rows per statement. SQLite is synchronous, so a large statement would block the event loop. */
const batchSize = 1_000

/**
 * Processes `all` in batches; other work runs in between. `all` is read as needed, because creating
 * a list of it would take long.
 */
async function inBatches<T>(all: Iterable<T>, work: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  let part: T[] = []
  for (const one of all) {
    if (part.length === batchSize) {
      await work(part)
      part = []
      await nextTurn()
    }
    part.push(one)
  }
  if (part.length > 0) await work(part)
}

/** Maps ref names to commits. */
export const listRefs = async (db: Db, repoId: number): Promise<Map<string, string>> => {
  const refs = new Map<string, string>()
  for (let after = '', more = true; more;) {
    const rows = await db
      .selectFrom('refs')
      .select(['ref_name', 'ref_sha'])
      .where('ref_repo_id', '=', repoId)
      .where('ref_name', '>', after)
      .orderBy('ref_name')
      .limit(batchSize)
      .execute()
    for (const row of rows) refs.set(row.ref_name, row.ref_sha)
    after = rows.at(-1)?.ref_name ?? ''
    more = rows.length === batchSize
    if (more) await nextTurn()
  }
  return refs
}

/** The commit that was recorded for a ref; `''` if there is none. */
export const findRef = async (db: Db, repoId: number, ref: string): Promise<string> => {
  const query = db.selectFrom('refs').select('ref_sha').where('ref_repo_id', '=', repoId).where('ref_name', '=', ref)
  return (await query.executeTakeFirst())?.ref_sha ?? ''
}

type NamedRef = readonly [name: string, sha: string]

interface Insert {
  repoId: number
  refs: readonly NamedRef[]
  now: number
  /** The refs are stored only if this is true. */
  condition?: RawBuilder<unknown>
}

const insertRefs = (db: Db, { repoId, refs, now, condition = sql`true` }: Insert) =>
  sql`insert into refs (ref_repo_id, ref_name, ref_sha, ref_seen)
    select ${repoId}, json_extract(value, '$[0]'), json_extract(value, '$[1]'), ${now}
    from json_each(${JSON.stringify(refs)})
    where ${condition}
    on conflict (ref_repo_id, ref_name) do update set ref_sha = excluded.ref_sha, ref_seen = excluded.ref_seen`.execute(
    db,
  )

const isMarked = (repoId: number) =>
  sql`exists (select 1 from refs where ref_repo_id = ${repoId} and ref_name = ${markerRef})`

/** Sets many refs. Does nothing if the repository was never checked, or is not watched any more. */
export const setRefs = (db: Db, repoId: number, refs: Iterable<NamedRef>, now: number): Promise<void> =>
  inBatches(refs, (part) => insertRefs(db, { repoId, refs: part, now, condition: isMarked(repoId) }))

/**
 * Moves a ref from one commit to the next, if it still is at the first one (`''` if it does not
 * exist) and the repository is watched. Returns whether it did: a build that is created in the same
 * transaction is created exactly once.
 */
export const advanceRef = async (
  db: Db,
  repoId: number,
  { ref, before, after }: { ref: string; before: string; after: string },
  now: number,
): Promise<boolean> => {
  const change =
    before === ''
      ? sql`insert into refs (ref_repo_id, ref_name, ref_sha, ref_seen)
          select ${repoId}, ${ref}, ${after}, ${now} where ${isMarked(repoId)}
          on conflict (ref_repo_id, ref_name) do nothing`
      : sql`update refs set ref_sha = ${after}, ref_seen = ${now}
          where ref_repo_id = ${repoId} and ref_name = ${ref} and ref_sha = ${before} and ${isMarked(repoId)}`
  return (await change.execute(db)).numAffectedRows === 1n
}

export const deleteRefs = (db: Db, repoId: number, names: readonly string[]): Promise<void> =>
  inBatches(names, (part) =>
    sql`delete from refs where ref_repo_id = ${repoId}
      and ref_name in (select value from json_each(${JSON.stringify(part)}))`.execute(db),
  )

/** Deletes in batches, because one statement took 120 ms for 140,000 refs. */
async function deleteAll(db: Db, repoId: number): Promise<void> {
  for (let more = true; more;) {
    const { numAffectedRows } = await sql`delete from refs where ref_repo_id = ${repoId}
      and ref_name in (select ref_name from refs where ref_repo_id = ${repoId} limit ${batchSize})`.execute(db)
    more = numAffectedRows === BigInt(batchSize)
    if (more) await nextTurn()
  }
}

/**
 * Makes the repository count as never checked, so that changes start no builds. Its refs can still
 * be stored.
 */
export const deleteMarker = async (db: Db, repoId: number): Promise<void> => {
  await db.deleteFrom('refs').where('ref_repo_id', '=', repoId).where('ref_name', '=', markerRef).execute()
}

/** One replacement per repository at a time; two would delete each other's rows. */
const replacing = createKeyedMutex()

/**
 * Replaces all refs of a repository; `null` means that it was never checked. Does not use one
 * transaction, because every other call would wait for it (a second for 100,000 refs). Until all
 * refs are stored, also after a crash, the repository counts as never checked. Throws inside a
 * transaction.
 */
export const replaceRefs = (
  db: Db,
  repoId: number,
  refs: ReadonlyMap<string, string> | null,
  now: number,
): Promise<void> => {
  if (db.isTransaction) throw new Error('refs are replaced outside of transactions')
  return replacing(repoId, async () => {
    await deleteMarker(db, repoId)
    await deleteAll(db, repoId)
    const marker = refs?.get(markerRef)
    if (!refs || marker === undefined) return
    await inBatches(refs, (part) => insertRefs(db, { repoId, refs: part.filter(([name]) => name !== markerRef), now }))
    await insertRefs(db, { repoId, refs: [[markerRef, marker]], now })
  })
}
