import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'

/**
 * Creates row objects that read their cells in place, because thousands of copies would be mostly
 * garbage.
 */
function rowView(columns: readonly string[]): (cells: unknown[]) => object {
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
  return (cells) => new View(cells)
}

interface Known {
  cells: RawBuilder<unknown>
  view: (cells: unknown[]) => object
}
/**
 * One entry per list of columns in the code. Building it for each query would be half the cost of a
 * short query.
 */
const cache = new WeakMap<readonly string[], Known>()

const viewOf = (columns: readonly string[]): Known => {
  const before = cache.get(columns)
  if (before) return before
  // The column names come from the code, not from a caller, so they can be raw SQL, which costs
  // nothing to build.
  const cells = sql.raw(columns.map((column) => `"${column}"`).join())
  const now = { cells, view: rowView(columns) }
  cache.set(columns, now)
  return now
}

type Columns<Row> = readonly (keyof Row & string)[]

/**
 * Lets SQLite return the rows as one JSON text, which costs a fifth of reading cell by cell
 * (measured: 10,000 rows of 69 columns in 76 ms instead of 388). It is also faster for a single
 * row, if the query itself creates the JSON and not a query around it.
 */
const asText = async <All, Some extends keyof All, Row>(
  query: SelectQueryBuilder<All, Some, Row>,
  columns: Columns<Row>,
  order: RawBuilder<unknown>,
): Promise<Row[]> => {
  const { cells, view } = viewOf(columns)
  const list = sql<string>`json_group_array(json_array(${cells})${order})`.as('list')
  const { list: text } = await query.clearSelect().select(list).$castTo<{ list: string }>().executeTakeFirstOrThrow()
  return (JSON.parse(text) as unknown[][]).map(view) as Row[]
}

/**
 * The rows of a query that can have many, ordered by `by`. Callers read the rows by column and do
 * not copy them. Put a limit into a query inside this one: here it would apply to the single row
 * with the text. `columns` must always be the same list.
 */
export const manyRows = <All, Some extends keyof All, Row>(
  query: SelectQueryBuilder<All, Some, Row>,
  columns: Columns<Row>,
  by: keyof Row & string,
): Promise<Row[]> => asText(query, columns, sql` order by ${sql.ref(by)}`)

/**
 * The same, with the highest number in `by` first. Sorted here, because sorting a single row in
 * SQLite costs as much as reading it.
 */
export const newestRows = async <All, Some extends keyof All, Row>(
  query: SelectQueryBuilder<All, Some, Row>,
  columns: Columns<Row>,
  by: keyof Row & string,
): Promise<Row[]> =>
  (await asText(query, columns, sql.raw(''))).toSorted((one, other) => Number(other[by]) - Number(one[by]))
