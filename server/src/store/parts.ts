/** Rows that one query answers where there may be thousands: SQLite answers at once, however many there are. */
const partSize = 400

/**
 * All rows, read in batches between which other queries run (`dialect.ts`). `read` returns a batch of rows after `last`.
 * Outside of a transaction something may change between two parts, as between any two queries.
 */
export const readInParts = async <Row>(
  read: (last: Row | undefined, count: number) => Promise<Row[]>,
): Promise<Row[]> => {
  const all: Row[] = []
  for (;;) {
    const some = await read(all.at(-1), partSize)
    for (const row of some) all.push(row)
    if (some.length < partSize) return all
  }
}

/** What has these ids, read in parts, in the order that `read` gives each. */
export const readByIds = async <Row>(
  ids: readonly number[],
  read: (someIds: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> => {
  const all: Row[] = []
  for (let at = 0; at < ids.length; at += partSize) {
    for (const row of await read(ids.slice(at, at + partSize))) all.push(row)
  }
  return all
}
