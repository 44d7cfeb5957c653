/**
 * Maintains the full-text index of builds: new builds at once, and builds that are older than the
 * index in the background.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { nextTurn } from '../../lib/event-loop.ts'
import { inTransaction, type Db } from '../open.ts'
import { findSetting, saveSetting } from '../settings.ts'
import { wordsOf, type IndexedBuild } from './words.ts'

/** The number of builds in the first transaction. */
const firstBatch = 10
const minBatch = 5
const maxBatch = 200
/** The index pages that are merged after a transaction, in a few milliseconds. */
const mergedPages = 16
/** A transaction blocks other calls, each of which queries the database several times. */
const targetMs = 5
/**
 * The pause after a transaction, as a multiple of its duration, so that indexing takes a quarter of
 * the time on any machine.
 */
const pauseFactor = 3
const minRestMs = 5

/**
 * How many builds the next transaction contains after one of `size` builds that took `tookMs`: 5 to
 * 200.
 */
export const nextBatchSize = (size: number, tookMs: number): number =>
  Math.max(minBatch, Math.min(maxBatch, size * 2, Math.floor((size * targetMs) / Math.max(tookMs, 0.1))))

/**
 * The setting with the highest id of a build that is not indexed yet. The migration that creates
 * the index sets it.
 */
const unindexed = 'unindexed_builds'

export const indexBuild = async (db: Db, build: IndexedBuild): Promise<void> => {
  await sql`insert into build_words (rowid, words) values (${build.build_id}, ${wordsOf(build)})`.execute(db)
}

/**
 * In ascending order: the index starts a new segment before a lower id, and merging segments of one
 * build each takes most of the time.
 */
const indexBuilds = async (db: Db, builds: readonly IndexedBuild[]): Promise<void> => {
  const rows = builds.toSorted((one, other) => one.build_id - other.build_id)
  const texts = JSON.stringify(rows.map((row) => [row.build_id, wordsOf(row)]))
  await sql`insert into build_words (rowid, words)
    select value ->> 0, value ->> 1 from json_each(${texts}) order by key`.execute(db)
}

/**
 * SQLite's own merging takes up to half a second at once. While the index is filled, it is off, and
 * `mergeSegments` merges some pages at a time.
 */
const setMerging = async (db: Db, { automerge, crisismerge }: { automerge: number; crisismerge: number }) => {
  await sql`insert into build_words (build_words, rank)
    values ('automerge', ${automerge}), ('crisismerge', ${crisismerge})`.execute(db)
}
const isMergingOff = async (db: Db): Promise<boolean> =>
  (await sql`select 1 from build_words_config where k = 'automerge' and v = 0`.execute(db)).rows.length > 0

const noMerging = { automerge: 0, crisismerge: 1_999 }
/** SQLite's defaults. */
const usualMerging = { automerge: 4, crisismerge: 16 }

interface Step<Result> {
  result: Result
  /** How long the database was blocked. */
  tookMs: number
}

/** Returns whether there was something to merge. */
const mergeSegments = async (db: Db): Promise<Step<boolean>> => {
  let startedAt = 0
  const result = await inTransaction(db, async (tx) => {
    startedAt = performance.now()
    const changes = async () => (await sql<{ n: number }>`select total_changes() as n`.execute(tx)).rows[0]?.n ?? 0
    const before = await changes()
    await sql`insert into build_words (build_words, rank) values ('merge', ${mergedPages})`.execute(tx)
    return (await changes()) - before > 1
  })
  return { result, tookMs: performance.now() - startedAt }
}

/** The highest id of a build that is not indexed yet; 0 if the index is complete. */
export const findUnindexed = async (db: Db): Promise<number> => Number((await findSetting(db, unindexed)) ?? 0)

/** Indexes the next batch, newest builds first. Returns the highest id that is left. */
const indexBatch = async (db: Db, batch: number): Promise<Step<number>> => {
  let startedAt = 0
  const result = await inTransaction(db, async (tx) => {
    startedAt = performance.now()
    const upTo = await findUnindexed(tx)
    if (upTo === 0) return 0
    const rows = await tx
      .selectFrom('builds')
      .select([
        'build_id',
        'build_repo_id',
        'build_number',
        'build_title',
        'build_message',
        'build_after',
        'build_ref',
        'build_source',
        'build_target',
        'build_author_login',
        'build_author_name',
        'build_author_email',
        'build_deploy_to',
        'build_cron',
      ])
      .where('build_id', '<=', upTo)
      .orderBy('build_id', 'desc')
      .limit(batch)
      .execute()
    await indexBuilds(tx, rows)
    const left = rows.length < batch ? 0 : (rows.at(-1)?.build_id ?? 1) - 1
    await saveSetting(tx, unindexed, String(left))
    return left
  })
  return { result, tookMs: performance.now() - startedAt }
}

/**
 * Completes the index in small batches until `signal` aborts; the next start continues. A failure
 * is logged. Until the index is complete, searches miss old builds and report that.
 */
export const fillIndex = async (
  db: Db,
  signal: AbortSignal,
  log: (message: string, error?: unknown) => void,
): Promise<void> => {
  const pause = async (tookMs: number) => {
    await delay(Math.max(minRestMs, tookMs * pauseFactor), undefined, { signal }).catch(() => undefined)
    await nextTurn()
  }
  try {
    if ((await findUnindexed(db)) === 0 && !(await isMergingOff(db))) return
    await setMerging(db, noMerging)
    for (let batch = firstBatch; !signal.aborted;) {
      const { result: left, tookMs } = await indexBatch(db, batch)
      batch = nextBatchSize(batch, tookMs)
      await pause(tookMs)
      const merged = await mergeSegments(db)
      if (left === 0 && !merged.result) break
      await pause(merged.tookMs)
    }
    if (!signal.aborted) await setMerging(db, usualMerging)
  } catch (error) {
    if (!signal.aborted) log('indexing builds for the search stopped; it continues at the next start', error)
  }
}
