import { useEffect, useMemo, useRef, useState } from 'react'

import { plainRows, wrappedLines, type Rows } from '../../lib/log/viewport.ts'
import type { LogStore } from './log-store.ts'

interface Wrapped {
  version: number
  columns: number
  count: number
  /** The row that each line begins at, and one more. */
  starts: Uint32Array
}

const extended = (known: Wrapped | undefined, from: number, rows: Uint16Array): Uint32Array => {
  const starts = new Uint32Array(from + rows.length + 1)
  if (known) starts.set(known.starts.subarray(0, from + 1))
  let row = starts[from] ?? 0
  rows.forEach((height, i) => {
    row += height
    starts[from + i + 1] = row
  })
  return starts
}

/** Which screen rows the lines of a long log take; asks the worker for heights when lines are wrapped. */
export const useRows = (store: LogStore, count: number, version: number, columns: number, wrap: boolean): Rows => {
  const [wrapped, setWrapped] = useState<Wrapped>()
  const asking = useRef<LogStore>(undefined)
  const known = wrapped?.version === version && wrapped.columns === columns ? wrapped : undefined
  useEffect(() => {
    if (!wrap || columns === 0 || asking.current === store || known?.count === count) return
    asking.current = store
    // The last line may have grown since.
    const from = Math.max(0, (known?.count ?? 0) - 1)
    void store.wrappedRows(from, columns).then((rows) => {
      if (asking.current !== store) return
      asking.current = undefined
      setWrapped({ version, columns, count: from + rows.length, starts: extended(known, from, rows) })
    })
    // Each answer, also one for a width that is past, lets the next question be asked.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [store, wrap, columns, version, count, known, wrapped])
  return useMemo(
    () => (wrap && known ? wrappedLines(known.starts, Math.min(known.count, count), count) : plainRows(count)),
    [wrap, known, count],
  )
}
