/** The small bridge between Kysely and `@photostructure/sqlite` (architecture.md, "storage"). */
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
/** What SQLite can hold. A boolean or a Date would be a mistake of ours, so it throws instead of being converted. */
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

/** Runs something until no other program's lock is in its way. */
type WriteRetry = <T>(work: () => T) => Promise<T>
const firstPauseMs = 2
const maxPauseMs = 50

/** Statements are kept: preparing costs more than running for our small queries. */
const maxStatements = 300

interface Prepared {
  statement: Statement
  reads: boolean
  /** It changes the database file. */
  writes: boolean
}

/** Tables of this connection alone (`changes.ts`) are in memory. */
const changesFile = (text: string): boolean =>
  /\b(insert|update|delete|replace)\b/i.test(text) && !/\btemp\b/i.test(text)

class Connection implements DatabaseConnection {
  readonly #db: DatabaseSyncInstance
  readonly #untilFree: WriteRetry
  readonly #statements = createLruCache<Prepared>({ maxSize: maxStatements, sizeOf: countEntries })

  readonly #committed: () => void

  constructor(db: DatabaseSyncInstance, untilFree: WriteRetry, committed: () => void) {
    this.#db = db
    this.#untilFree = untilFree
    this.#committed = committed
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#db.prepare(text)
    const entry = { statement, reads: statement.columns().length > 0, writes: changesFile(text) }
    this.#statements.set(text, entry)
    return entry
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#untilFree(() => {
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

/** One connection, handed out in order of arrival: a transaction holds it until it ends. */
class SqliteDriver implements Driver {
  readonly #db: DatabaseSyncInstance
  readonly #connection: Connection
  readonly #waiting: (() => void)[] = []
  readonly #patience: number
  #taken = false

  readonly #committed: () => void

  constructor(db: DatabaseSyncInstance, patience: number, committed: () => void) {
    this.#db = db
    this.#patience = patience
    this.#committed = committed
    this.#connection = new Connection(db, (work) => this.#untilFree(work), committed)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#take()
    return this.#connection
  }

  // oxlint-disable-next-line require-await -- the interface asks for a promise
  async releaseConnection(): Promise<void> {
    this.#giveOn()
  }

  async #take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
  }

  #giveOn(): void {
    const next = this.#waiting.shift()
    // Handed over without a gap: `taken` stays true, or a new caller could overtake the waiting one.
    if (next) next()
    else this.#taken = false
  }

  /**
   * Another program holds a lock: SQLite itself would wait by blocking this thread. So the statement is
   * retried, with pauses for other work: readers need not wait for a writer's lock. A thousand queries
   * one after the other hold it as long as a slow one: between them others on the event loop get their turn.
   */
  async #untilFree<T>(work: () => T): Promise<T> {
    while (shouldQueryYield()) await nextTurn()
    const end = performance.now() + this.#patience
    for (let pause = firstPauseMs; ; pause = Math.min(maxPauseMs, pause * 2)) {
      try {
        return work()
      } catch (error) {
        if (resultCodeOf(error) !== resultCodes.busy) throw error
        if (performance.now() >= end) throw new BusyError()
      }
      // Within a transaction no other statement may run.
      const share = !this.#db.isTransaction
      if (share) this.#giveOn()
      await delay(pause)
      if (share) await this.#take()
    }
  }

  beginTransaction(): Promise<void> {
    return this.#untilFree(() => this.#db.exec('begin immediate'))
  }
  commitTransaction(): Promise<void> {
    return this.#untilFree(() => {
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

/** `patience`: milliseconds to wait for another program's lock. `committed` is called after each commit that changes the file. */
export const sqliteDialect = (db: DatabaseSyncInstance, committed: () => void, patience = 15_000): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(db, patience, committed),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
