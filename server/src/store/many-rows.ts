import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from './open.ts'
import type { Schema } from './schema.ts'

/** One for each list of columns in the code. A class made anew for each query costs half of a short one: whoever reads its rows learns them again. */
const views = new Map<string, (cells: unknown[]) => object>()

/** Objects that look like rows and read the cells where they lie: thousands of copies would be mostly garbage. */
function rowView(columns: readonly string[]): (cells: unknown[]) => object {
  const known = views.get(columns.join())
  if (known) return known
  class View {
    readonly cells: unknown[]
    constructor(cells: unknown[]) {
      this.cells = cells
    }
  }
  for (const [index, column] of columns.entries()) {
    Object.defineProperty(View.prototype, column, {
      get(this: View) {
        return this.cells[index]
      },
    })
  }
  const view = (cells: unknown[]) => new View(cells)
  views.set(columns.join(), view)
  return view
}

/**
 * The rows of a query that may have many: SQLite writes them as one JSON text, which costs a fifth of taking them
 * over cell by cell (measured: 10,000 rows of 69 columns in 76 ms instead of 388). `by` orders them. The answers are to
 * be read by column, not copied.
 */
export const manyRows = async <Tables extends keyof Schema, Row>(
  db: Db,
  query: SelectQueryBuilder<Schema, Tables, Row>,
  columns: readonly (keyof Row & string)[],
  by: keyof Row & string,
  direction: 'asc' | 'desc' = 'asc',
): Promise<Row[]> => {
  // Names of ours, not of a caller: as one raw text they cost nothing to put together.
  const cells = sql.raw(columns.map((column) => `"${column}"`).join())
  const order = sql`order by ${sql.ref(by)} ${sql.raw(direction)}`
  const list = sql<{ list: string }>`select json_group_array(json_array(${cells}) ${order}) as list from (${query})`
  const text = (await list.execute(db)).rows[0]?.list ?? '[]'
  return (JSON.parse(text) as unknown[][]).map(rowView(columns)) as Row[]
}
