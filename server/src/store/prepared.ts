/**
 * Queries that Kysely builds once. Building one takes about 0.2 ms, several times as long as
 * finding a row by its id, and each report of a runner needs a dozen.
 */
import type { Compilable, CompiledQuery } from 'kysely'
import type { SqlValue } from './dialect.ts'
import type { Db } from './open.ts'

type Parameters = Readonly<Record<string, SqlValue>>

/**
 * Returns a function that runs the query with new values each time. `build` is called once, with a
 * placeholder for each value, so the form of the query must not depend on the values. All calls
 * pass the same keys.
 */
export function prepareQuery<P extends Parameters, Row>(
  build: (db: Db, parameters: P) => Compilable<Row>,
): (db: Db, parameters: P) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, parameters) => {
    const compile = () => build(db, placeholdersOf(parameters)).compile()
    // Plugins see a query only while it is built.
    const query = db.getExecutor().plugins.length > 0 ? compile() : (compiled ??= compile())
    const values = query.parameters.map((value) =>
      typeof value === 'symbol' ? parameters[value.description ?? ''] : value,
    )
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows
  }
}

/** Kysely passes values to the driver without reading them. */
const placeholdersOf = <P extends Parameters>(parameters: P): P =>
  Object.fromEntries(Object.keys(parameters).map((key) => [key, Symbol(key)])) as unknown as P
