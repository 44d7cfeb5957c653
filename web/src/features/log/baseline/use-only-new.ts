import { useCallback, useState } from 'react'

import { useKeys } from '../../../browser/use-keys.ts'
import type { ReadingStore } from '../reading/reading-store.ts'
import type { Reading } from '../reading/reading.ts'
import { isIn, placeIn } from '../reading/filtered-rows.ts'
import type { NewLines } from './use-new-lines.ts'

export interface OnlyNew {
  /** The lines that are shown; undefined if all are. */
  lines: Uint32Array | undefined
  toggle: () => void
  /** Shows all lines if this one would be hidden. */
  show: (line: number) => void
  /** All lines are shown because the user went to a line that is not new. */
  left: boolean
}

/** The scroll positions before and after the switch. */
interface Entry {
  was: Reading
  put: Reading['position'] | undefined
}

/** Keeps the scroll position, by the first visible line that stays shown. */
const enter = (reading: ReadingStore, lines: Uint32Array): Entry => {
  const was = reading.get()
  reading.dispatch({ type: 'asked for all' })
  if (was.follow) return { was, put: undefined }
  const { position } = was
  const line = 'line' in position ? position.line : position.lastLine
  const put = { line: lines[Math.min(placeIn(lines, line), lines.length - 1)] ?? line, offset: 0 }
  reading.dispatch({ type: 'settled', position: put })
  return { was, put }
}

/**
 * If the user has not scrolled, the earlier position is restored; else the lines in view stay in
 * place.
 */
const leave = (reading: ReadingStore, lines: Uint32Array, { was, put }: Entry): void => {
  const { position, follow } = reading.get()
  if (put !== undefined && position === put) reading.dispatch({ type: 'settled', position: was.position })
  // The end of the new lines is not the end of the log.
  else if (follow && !was.follow) reading.dispatch({ type: 'let go', position: { lastLine: lines.at(-1) ?? 0 } })
}

/** The "Only new lines" view and its key. */
export const useOnlyNew = (newLines: NewLines, reading: ReadingStore): OnlyNew => {
  const [entry, setEntry] = useState<Entry>()
  const [left, setLeft] = useState(false)
  const lines = newLines.state === 'known' ? newLines.lines : undefined
  const shown = entry && lines && lines.length > 0 ? lines : undefined
  const toggle = (): void => {
    setLeft(false)
    if (shown && entry) leave(reading, shown, entry)
    setEntry(shown || !lines ? undefined : enter(reading, lines))
  }
  useKeys((key) => {
    if (key !== 'o') return
    if (newLines.state === 'offered') newLines.compare()
    else if (lines && lines.length > 0) toggle()
  })
  const show = useCallback(
    (line: number) => {
      if (!shown || isIn(shown, line)) return
      setEntry(undefined)
      setLeft(true)
    },
    [shown],
  )
  return { lines: shown, toggle, show, left }
}
