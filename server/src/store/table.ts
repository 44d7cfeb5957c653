/**
 * One description of a table, from which everything else about its rows derives: the types for
 * Kysely, and the conversions between rows and entities of the API. The types require a column for
 * each key of the entity, so a forgotten field does not compile (docs/decisions/contract.md).
 */
import type { Generated } from 'kysely'

type Cell = string | number | null

/**
 * How one value is stored in a cell. `Value` includes `undefined` if the entity omits the key when
 * the cell is empty.
 */
export interface Column<Value, Stored extends Cell = Cell> {
  // Methods, so that a column of `boolean` fits a key of `boolean | undefined`.
  read(this: void, cell: Stored): Value
  write(this: void, value: Value | undefined): Stored
  /** SQLite sets the value of a new row, so an insert can omit it. */
  generated?: true
  /** Written only by an insert; `set` does not change it. */
  fixed?: true
  /** The column's name, if it is not the prefix and the key. */
  name?: string
}

export const text = <T extends string = string>(): Column<T, string> => ({
  read: (cell) => cell as T,
  write: (value) => value ?? '',
})
export const number = (): Column<number, number> => ({ read: (cell) => cell, write: (value) => value ?? 0 })
export const flag = (): Column<boolean, number> => ({ read: (cell) => cell === 1, write: flagCell })
/** Text that can be `null`, which differs from empty text. */
export const nullableText = (): Column<string | null, string | null> => ({
  read: (cell) => cell,
  write: (value) => value ?? null,
})

/**
 * Keys that responses omit when they are zero, false or empty (docs/api §1, the names with `?`).
 */
export const optional = {
  text: <T extends string = string>(): Column<T | undefined, string> => ({
    read: (cell) => (cell === '' ? undefined : (cell as T)),
    write: (value) => value ?? '',
  }),
  number: (): Column<number | undefined, number> => ({
    read: (cell) => (cell === 0 ? undefined : cell),
    write: (value) => value ?? 0,
  }),
  flag: (): Column<boolean | undefined, number> => ({
    read: (cell) => (cell === 1 ? true : undefined),
    write: flagCell,
  }),
  /** Any value as JSON, such as a list. */
  json: <T>(write: (value: T) => string = JSON.stringify): Column<T | undefined, string> => ({
    read: (cell) => (cell === '' ? undefined : (JSON.parse(cell) as T)),
    write: (value) => (value === undefined ? '' : write(value)),
  }),
}
/** A list; an empty list is omitted. */
export const list = <T>(): Column<T[] | undefined, string> =>
  optional.json<T[]>((value) => (value.length > 0 ? JSON.stringify(value) : ''))
/** A map with its keys in order, as the API shows them (docs/api §1.4); an empty map is omitted. */
export const map = (): Column<Record<string, string> | undefined, string> =>
  optional.json<Record<string, string>>((value) => {
    const keys = Object.keys(value).toSorted()
    return keys.length > 0 ? JSON.stringify(Object.fromEntries(keys.map((key) => [key, value[key]]))) : ''
  })

export const generated = <C extends AnyColumn>(column: C): C & { generated: true } => ({ ...column, generated: true })
export const fixed = <C extends AnyColumn>(column: C): C & { fixed: true } => ({ ...column, fixed: true })
export const named = <const N extends string, C extends AnyColumn>(name: N, column: C): C & { name: N } => ({
  ...column,
  name,
})
/** The primary key of a table. */
export const id = () => generated(fixed(number()))

/** Also used for single cells outside of a table's own columns. */
export const flagCell = (value: boolean | undefined): number => (value ? 1 : 0)

type AnyColumn = Column<unknown>
type Columns = Record<string, AnyColumn>
type CellOf<C> = C extends { write(value: never): infer Stored } ? Stored : never
type ValueOf<C> = C extends { read(cell: never): infer Value } ? Value : never
type NameOf<P extends string, K extends string, C> = C extends { name: infer N extends string } ? N : `${P}_${K}`

type CellsOf<P extends string, C extends Columns> = { [K in keyof C & string as NameOf<P, K, C[K]>]: CellOf<C[K]> }
type KyselyOf<P extends string, C extends Columns> = {
  [K in keyof C & string as NameOf<P, K, C[K]>]: C[K] extends { generated: true }
    ? Generated<CellOf<C[K]>>
    : CellOf<C[K]>
}
type GivenKeys<C extends Columns> = { [K in keyof C]: C[K] extends { generated: true } ? never : K }[keyof C]
type Given<C extends Columns> = { [K in GivenKeys<C>]: ValueOf<C[K]> }
type ChangingKeys<C extends Columns> = { [K in keyof C]: C[K] extends { fixed: true } ? never : K }[keyof C]

/** The columns that a table must have: one for each stored key of its entity. */
type ColumnsFor<Entity, Unstored extends keyof Entity> = {
  [K in Exclude<keyof Entity & string, Unstored>]-?: Column<Entity[K]>
}

export interface Table<P extends string, C extends Columns, I extends Columns, Entity> {
  /** All column names, including the internal columns. */
  columns: readonly (keyof CellsOf<P, C & I> & string)[]
  toEntity: (row: CellsOf<P, C>) => Entity
  /**
   * A new row: every column except those that SQLite fills in. `internal` has the columns that no
   * entity shows.
   */
  toRow: (
    entity: Pick<Entity, GivenKeys<C> & keyof Entity>,
    internal: Given<I>,
  ) => CellsOf<P, Pick<C, GivenKeys<C>> & Pick<I, GivenKeys<I>>>
  /** All columns that can change. */
  set: (entity: Pick<Entity, ChangingKeys<C> & keyof Entity>) => CellsOf<P, Pick<C, ChangingKeys<C>>>
  /** Only the given fields, without those that are `undefined`. */
  change: (changes: { [K in ChangingKeys<C> & keyof Entity]?: Entity[K] | undefined }) => Partial<CellsOf<P, C>>
  /** Exists only for its type: the table's type for Kysely. */
  kysely?: KyselyOf<P, C & I>
}
/** The table's type for Kysely. */
export type TableOf<T extends { kysely?: unknown }> = NonNullable<T['kysely']>

interface PlacedColumn extends AnyColumn {
  key: string
  column: string
}
const placeColumns = (prefix: string, columns: Columns): PlacedColumn[] =>
  Object.entries(columns).map(([key, column]) => ({ ...column, key, column: column.name ?? `${prefix}_${key}` }))

/**
 * Uses a loop, here and for rows: lists have thousands of rows, and `Object.fromEntries` takes
 * three times as long.
 */
const cellsOf = (placed: readonly PlacedColumn[], entity: object): Record<string, Cell> => {
  const cells: Record<string, Cell> = {}
  for (const { key, column, write } of placed) cells[column] = write((entity as Record<string, unknown>)[key])
  return cells
}

/** Converts rows to entities, with the keys in the order of the columns. */
const reader =
  (placed: readonly PlacedColumn[]) =>
  (row: Readonly<Record<string, Cell>>): object => {
    const entity: Record<string, unknown> = {}
    for (const { key, column, read } of placed) {
      const value = read(row[column] ?? null)
      if (value !== undefined) entity[key] = value
    }
    return entity
  }

/**
 * `Unstored`: keys of the entity that have no column. `prefix`: the start of each column's name.
 * `internal`: columns that the entity does not show.
 */
export const defineTable =
  <Entity extends object, Unstored extends keyof Entity = never>() =>
  <const P extends string, const C extends ColumnsFor<Entity, Unstored> & Columns, const I extends Columns>(
    prefix: P,
    columns: C & { [K in Exclude<keyof C, keyof Entity>]: never },
    internal: I,
  ): Table<P, C, I, Entity> => {
    const placed = placeColumns(prefix, columns)
    const hidden = placeColumns(prefix, internal)
    const given = placed.filter((column) => !column.generated)
    const givenHidden = hidden.filter((column) => !column.generated)
    const changing = placed.filter((column) => !column.fixed)
    const made = {
      columns: [...placed, ...hidden].map(({ column }) => column),
      toEntity: reader(placed),
      toRow: (entity: object, more: object) => ({ ...cellsOf(given, entity), ...cellsOf(givenHidden, more) }),
      set: (entity: object) => cellsOf(changing, entity),
      change: (changes: Record<string, unknown>) =>
        cellsOf(
          changing.filter(({ key }) => changes[key] !== undefined),
          changes,
        ),
    }
    return made as unknown as Table<P, C, I, Entity>
  }
