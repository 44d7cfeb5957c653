// Writes rows directly to the database: a million builds through the API would take an hour.
import { DatabaseSync } from '@photostructure/sqlite'
import { join } from 'node:path'

export const openDatabase = (data) => {
  const db = new DatabaseSync(join(data, 'flightdeck.db'))
  db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -400000')
  return db
}

/**
 * `insert into … select` for a whole table: `columns` gives an expression per column, all others
 * get zero or an empty text, so that a new column does not break the benchmark. `source` is what
 * follows `from`.
 */
export function fillTable(db, table, columns, source) {
  const all = db.prepare(`pragma table_info(${table})`).all()
  const unknown = Object.keys(columns).filter((name) => !all.some((column) => column.name === name))
  if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(', ')}`)
  const empty = ({ type, notnull, dflt_value: standard }) =>
    standard ?? (notnull ? (type === 'TEXT' ? "''" : '0') : 'null')
  const names = all.filter((column) => !column.pk || columns[column.name] !== undefined)
  const values = names.map((column) => columns[column.name] ?? empty(column))
  db.exec(
    `insert into ${table} (${names.map((column) => column.name).join(', ')}) select ${values.join(', ')} from ${source}`,
  )
}

/** The numbers from 1 as a source of rows, in the column `n`. */
export const numbers = (count) =>
  `(with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${count}) select n from counter)`
