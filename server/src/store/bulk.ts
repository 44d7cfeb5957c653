/**
 * Inserts and updates many rows with one statement. The rows are passed as one JSON text, which
 * SQLite parses: a statement with a parameter per cell costs about 20 times as much, and a
 * transaction of a large build blocked every other query for half a second.
 */
import { sql } from 'kysely'
import type { Db } from './open.ts'
import type { Schema } from './schema.ts'

type Cell = string | number
/** A row, by column. All rows of one call have the same columns. */
export type BulkRow = Readonly<Record<string, Cell>>

/** The number of rows in one statement: a few milliseconds of work. */
const maxRows = 250

/**
 * Replaces unpaired surrogates, which JSON cannot represent and SQLite would store as invalid
 * bytes.
 */
const cellText = (cell: Cell): Cell => (typeof cell === 'string' ? cell.replaceAll(/\p{Surrogate}/gu, '\uFFFD') : cell)

function* chunks(rows: readonly BulkRow[], columns: readonly string[]): Generator<string> {
  for (let at = 0; at < rows.length; at += maxRows) {
    yield JSON.stringify(
      rows.slice(at, at + maxRows).map((row) => columns.map((column) => cellText(row[column] ?? ''))),
    )
  }
}

/** Inserts the rows in order, so that their ids have the same order. */
export const insertMany = async (db: Db, table: keyof Schema, rows: readonly BulkRow[]): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {})
  const cells = sql.raw(columns.map((_column, index) => `value ->> ${index}`).join())
  for (const text of chunks(rows, columns)) {
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${cells} from json_each(${text}) order by key`.execute(db)
  }
}

/**
 * Updates the rows that match the columns of `by`, each of which maps to the key of its value in
 * `rows`; the other keys are the columns to set. Returns how many rows matched. No two of `rows`
 * may match the same row.
 */
export const updateMany = async (
  db: Db,
  table: keyof Schema,
  by: Readonly<Record<string, string>>,
  rows: readonly BulkRow[],
): Promise<number> => {
  const keys = Object.keys(rows[0] ?? {})
  const cell = (key: string) => `item.value ->> ${keys.indexOf(key)}`
  const found = new Set(Object.values(by))
  const set = sql.raw(keys.flatMap((key) => (found.has(key) ? [] : [`${key} = ${cell(key)}`])).join())
  const where = sql.raw(
    Object.entries(by)
      .map(([column, key]) => `${table}.${column} = ${cell(key)}`)
      .join(' and '),
  )
  let changed = 0
  for (const text of chunks(rows, keys)) {
    const { numAffectedRows } = await sql`update ${sql.table(table)} set ${set}
      from json_each(${text}) as item where ${where}`.execute(db)
    changed += Number(numAffectedRows ?? 0)
  }
  return changed
}
