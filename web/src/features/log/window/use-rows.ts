import { useMemo, useState } from 'react'

import { plainRows, wrappedLines, type Rows } from '../reading/viewport.ts'
import type { LogStore } from '../source/log-store.ts'
import { useWorkerQuery } from '../source/use-worker-query.ts'

interface Wrapped {
  version: number
  columns: number
  first: number
  /** The index after the last measured line. */
  count: number
  /** The first row of each line, and one more; the array can be longer. */
  starts: Uint32Array
}

export interface RowsOptions {
  store: LogStore
  /** The index of the first line. */
  first: number
  /** The index after the last line. */
  count: number
  version: number
  /** The number of characters per row; 0 while unknown. */
  columns: number
  wrap: boolean
}

/** `from` is relative to the first line. The last known line can have a new height. */
const extended = (known: Wrapped | undefined, from: number, rows: Uint16Array): Uint32Array => {
  const size = from + rows.length + 1
  let starts = known?.starts
  if (!starts || starts.length < size) {
    // Allocates more than needed, so that a growing log is not copied each time.
    starts = new Uint32Array(known ? size * 2 : size)
    if (known) starts.set(known.starts.subarray(0, from + 1))
  }
  let row = starts[from] ?? 0
  rows.forEach((height, i) => {
    row += height
    starts[from + i + 1] = row
  })
  return starts
}

/**
 * The screen rows of a long log's lines; requests heights from the worker when lines are wrapped.
 */
export const useRows = ({ store, first, count, version, columns, wrap }: RowsOptions) => {
  const [wrapped, setWrapped] = useState<Wrapped>()
  // Heights for a different width, or of a replaced log, are better than none.
  const about = wrapped?.first === first ? wrapped : undefined
  const known = about?.version === version && about.columns === columns ? about : undefined
  const measure = async (): Promise<Wrapped> => {
    // The last line can have grown since.
    const from = Math.max(first, (known?.count ?? 0) - 1)
    const heights = await store.wrappedRows(from, columns)
    const starts = extended(known, from - first, heights)
    return { version, columns, first, count: from + heights.length, starts }
  }
  const lacks = wrap && columns > 0 && known?.count !== count
  useWorkerQuery(lacks ? `${version} ${columns} ${first} ${count}` : undefined, measure, setWrapped)
  const rows = useMemo((): Rows => {
    const lines = count - first
    return wrap && about ? wrappedLines(about.starts, Math.min(about.count - first, lines), lines) : plainRows(lines)
  }, [wrap, about, first, count])
  return { rows, exact: !wrap || about !== undefined }
}
