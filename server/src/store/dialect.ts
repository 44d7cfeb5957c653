/** The small bridge between Kysely and `@photostructure/sqlite` (architecture.md, "storage"). */
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

/** Statements are kept: preparing costs more than running for our small queries. */
const maxStatements = 300

class Connection implements DatabaseConnection {
  readonly #db: DatabaseSyncInstance
  readonly #statements = new Map<string, { statement: Statement; reads: boolean }>()

  constructor(db: DatabaseSyncInstance) {
    this.#db = db
  }

  #prepare(text: string): { statement: Statement; reads: boolean } {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#db.prepare(text)
    const entry = { statement, reads: statement.columns().length > 0 }
    if (this.#statements.size >= maxStatements) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(text, entry)
    return entry
  }

  // oxlint-disable-next-line require-await -- SQLite answers at once; a throw must become a rejection
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, reads } = this.#prepare(query.sql)
    const values = checkValues(query.parameters)
    if (reads) return { rows: statement.all(...values) as R[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const values = checkValues(query.parameters)
    for (const row of this.#db.prepare(query.sql).iterate(...values)) yield { rows: [row as R] }
  }
}

/** One connection, given out first come, first served: a transaction holds it until it ends. */
class SqliteDriver implements Driver {
  readonly #db: DatabaseSyncInstance
  readonly #connection: Connection
  readonly #waiting: (() => void)[] = []
  #taken = false

  constructor(db: DatabaseSyncInstance) {
    this.#db = db
    this.#connection = new Connection(db)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#connection
  }

  // oxlint-disable-next-line require-await -- the interface asks for a promise
  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    // Handed over without a gap: `taken` stays true, or a newcomer could slip in before the one who waits.
    if (next) next()
    else this.#taken = false
  }

  // oxlint-disable-next-line require-await -- a throw must become a rejection
  async beginTransaction(): Promise<void> {
    this.#db.exec('begin immediate')
  }
  // oxlint-disable-next-line require-await -- as above
  async commitTransaction(): Promise<void> {
    this.#db.exec('commit')
  }
  // oxlint-disable-next-line require-await -- as above
  async rollbackTransaction(): Promise<void> {
    // Some errors (a full disk) end the transaction by themselves.
    if (this.#db.isTransaction) this.#db.exec('rollback')
  }

  async destroy(): Promise<void> {}
}

export const sqliteDialect = (db: DatabaseSyncInstance): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(db),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
