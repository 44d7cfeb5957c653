/**
 * The number of rows that one query returns if there can be thousands, because SQLite returns all
 * rows of a query in one go.
 */
const batchSize = 400

/**
 * Reads all rows in batches; other queries run in between (`dialect.ts`). `read` returns a batch of
 * rows after `last`. Outside of a transaction, rows can change between two batches, as between any
 * two queries.
 */
export const readInParts = async <Row>(
  read: (last: Row | undefined, count: number) => Promise<Row[]>,
): Promise<Row[]> => {
  const all: Row[] = []
  for (;;) {
    const some = await read(all.at(-1), batchSize)
    for (const row of some) all.push(row)
    if (some.length < batchSize) return all
  }
}

/** Reads the rows with these ids in batches, each in the order of `read`. */
export const readByIds = async <Row>(
  ids: readonly number[],
  read: (someIds: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> => {
  const all: Row[] = []
  for (let at = 0; at < ids.length; at += batchSize) {
    for (const row of await read(ids.slice(at, at + batchSize))) all.push(row)
  }
  return all
}
