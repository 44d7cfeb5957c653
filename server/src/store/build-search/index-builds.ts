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

/** The highest id of a build that is not indexed yet; 0 if the index is complete. */
export const findUnindexed = async (db: Db): Promise<number> => Number((await findSetting(db, unindexed)) ?? 0)

interface Indexed {
  left: number
  /** How long the database was blocked. */
  tookMs: number
}

/** Indexes the next batch, newest builds first. */
const indexBatch = async (db: Db, batch: number): Promise<Indexed> => {
  let began = 0
  const left = await inTransaction(db, async (tx) => {
    began = performance.now()
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
    for (const row of rows) await indexBuild(tx, row)
    const left = rows.length < batch ? 0 : (rows.at(-1)?.build_id ?? 1) - 1
    await saveSetting(tx, unindexed, String(left))
    return left
  })
  return { left, tookMs: performance.now() - began }
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
  try {
    for (let batch = firstBatch; !signal.aborted;) {
      const { left, tookMs } = await indexBatch(db, batch)
      if (left === 0) return
      batch = nextBatchSize(batch, tookMs)
      await delay(Math.max(minRestMs, tookMs * pauseFactor), undefined, { signal }).catch(() => undefined)
      await nextTurn()
    }
  } catch (error) {
    if (!signal.aborted) log('indexing builds for the search stopped; it continues at the next start', error)
  }
}
