/** The adapter between Kysely and `@photostructure/sqlite` (architecture.md, "storage"). */
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { noteActor } from '../lib/audit-context.ts'
import { countEntries, createLruCache } from '../lib/cache.ts'
import { shouldQueryYield, nextTurn } from '../lib/event-loop.ts'
import { BusyError, resultCodeOf, resultCodes } from './errors.ts'

type Statement = ReturnType<DatabaseSyncInstance['prepare']>
/**
 * The values that SQLite can store. A boolean or a Date would be a bug, so it throws instead of
 * being converted.
 */
export type SqlValue = null | number | bigint | string | Uint8Array

const isSqlValue = (value: unknown): value is SqlValue =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  typeof value === 'string' ||
  value instanceof Uint8Array

const checkValues = (values: readonly unknown[]): SqlValue[] =>
  values.map((value) => {
    if (isSqlValue(value)) return value
    throw new TypeError(`not a value for SQLite: ${value instanceof Date ? 'Date' : typeof value}`)
  })

/** Retries `work` while another program holds a lock. */
type WriteRetry = <T>(work: () => T) => Promise<T>
const firstPauseMs = 2
const maxPauseMs = 50

/** The number of cached statements. Preparing one costs more than running a small query. */
const maxStatements = 300

interface Prepared {
  statement: Statement
  reads: boolean
  /** Whether it changes the database file. */
  writes: boolean
}

/** Temporary tables of this connection (`changes.ts`) are in memory. */
const changesFile = (text: string): boolean =>
  /\b(insert|update|delete|replace)\b/i.test(text) && !/\btemp\b/i.test(text)

class Connection implements DatabaseConnection {
  readonly #db: DatabaseSyncInstance
  readonly #retryWhileLocked: WriteRetry
  readonly #statements = createLruCache<Prepared>({ maxSize: maxStatements, sizeOf: countEntries })

  readonly #committed: () => void

  constructor(db: DatabaseSyncInstance, retryWhileLocked: WriteRetry, committed: () => void) {
    this.#db = db
    this.#retryWhileLocked = retryWhileLocked
    this.#committed = committed
  }

  #prepare(text: string): Prepared {
    const cached = this.#statements.get(text)
    if (cached) return cached
    const statement = this.#db.prepare(text)
    const entry = { statement, reads: statement.columns().length > 0, writes: changesFile(text) }
    this.#statements.set(text, entry)
    return entry
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#retryWhileLocked(() => {
      const values = checkValues(query.parameters)
      const { statement, reads, writes } = this.#prepare(query.sql)
      if (writes) noteActor()
      const result = reads ? { rows: statement.all(...values) as R[] } : affected(statement.run(...values).changes)
      if (writes && !this.#db.isTransaction) this.#committed()
      return result
    })
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const values = checkValues(query.parameters)
    for (const row of this.#db.prepare(query.sql).iterate(...values)) yield { rows: [row as R] }
  }
}

const affected = (changes: number | bigint) => ({ rows: [], numAffectedRows: BigInt(changes) })

/** One connection, which callers get in order of arrival. A transaction holds it until it ends. */
class SqliteDriver implements Driver {
  readonly #db: DatabaseSyncInstance
  readonly #connection: Connection
  readonly #waiting: (() => void)[] = []
  readonly #lockTimeoutMs: number
  #taken = false

  readonly #committed: () => void

  constructor(db: DatabaseSyncInstance, lockTimeoutMs: number, committed: () => void) {
    this.#db = db
    this.#lockTimeoutMs = lockTimeoutMs
    this.#committed = committed
    this.#connection = new Connection(db, (work) => this.#retryWhileLocked(work), committed)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#take()
    return this.#connection
  }

  // oxlint-disable-next-line require-await -- the interface asks for a promise
  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async #take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
  }

  #release(): void {
    const next = this.#waiting.shift()
    // `#taken` stays true while the connection is handed to the next caller; otherwise a new caller
    // could get it first.
    if (next) next()
    else this.#taken = false
  }

  /**
   * Retries while another program holds a lock. SQLite itself would wait by blocking this thread.
   * Other queries run between the attempts, so readers do not wait for a writer's lock. A thousand
   * queries in a row block the event loop as long as a slow one, so other work gets a turn before
   * a query if needed.
   */
  async #retryWhileLocked<T>(work: () => T): Promise<T> {
    while (shouldQueryYield()) await nextTurn()
    const end = performance.now() + this.#lockTimeoutMs
    for (let pause = firstPauseMs; ; pause = Math.min(maxPauseMs, pause * 2)) {
      try {
        return work()
      } catch (error) {
        if (resultCodeOf(error) !== resultCodes.busy) throw error
        if (performance.now() >= end) throw new BusyError()
      }
      // No other statement may run inside a transaction.
      const share = !this.#db.isTransaction
      if (share) this.#release()
      await delay(pause)
      if (share) await this.#take()
    }
  }

  beginTransaction(): Promise<void> {
    return this.#retryWhileLocked(() => this.#db.exec('begin immediate'))
  }
  commitTransaction(): Promise<void> {
    return this.#retryWhileLocked(() => {
      this.#db.exec('commit')
      this.#committed()
    })
  }
  // oxlint-disable-next-line require-await -- a throw must become a rejection
  async rollbackTransaction(): Promise<void> {
    // Some errors (a full disk) end the transaction by themselves.
    if (this.#db.isTransaction) this.#db.exec('rollback')
  }

  async destroy(): Promise<void> {}
}

/**
 * `lockTimeoutMs` is how long to wait for another program's lock. `committed` is called after each
 * commit that changes the file.
 */
export const sqliteDialect = (db: DatabaseSyncInstance, committed: () => void, lockTimeoutMs = 15_000): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(db, lockTimeoutMs, committed),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
