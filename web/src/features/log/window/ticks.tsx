import { useMemo } from 'react'

import { placeIn } from '../reading/filtered-rows.ts'
import { newLineTicks } from '../baseline/new-line-ticks.ts'

export interface TicksProps {
  /** The number of lines in the log. */
  lines: number
  /** Shows only these lines. */
  only: Uint32Array | undefined
  /** The hundredths of the log with a search hit. */
  hits: readonly number[]
  /** The step's error lines. */
  causeLines: ReadonlySet<number>
  /** The lines that the last successful run did not have. */
  newLines: Uint32Array | undefined
}

const tickClass = 'absolute h-0.5'

/** The positions of new lines, search hits and error lines, beside the scroll bar. */
export function Ticks({ lines, only, hits, causeLines, newLines }: TicksProps) {
  const hundredthOf = (line: number): number =>
    Math.floor((100 * (only ? placeIn(only, line) : line)) / (only?.length ?? lines))
  // For hits, only the hundredths of the whole log are known.
  const shownHits = only ? [] : hits
  // In the view of new lines, ticks for every line would mean nothing.
  const newTicks = useMemo(() => (only || !newLines ? [] : newLineTicks(newLines, lines)), [only, newLines, lines])
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-0 w-2">
      {newTicks.map(({ from, count }) => (
        <span
          key={from}
          data-new
          className="log-tick-new absolute left-0 w-1"
          style={{ top: `${from}%`, height: `calc(${count - 1}% + 2px)` }}
        />
      ))}
      {shownHits.map((tick) => (
        <span key={tick} className={`${tickClass} right-0 w-1 bg-warning`} style={{ top: `${tick}%` }} />
      ))}
      {[...causeLines].map((line) => (
        <span
          key={line}
          data-cause
          className={`${tickClass} right-0 w-2 bg-danger`}
          style={{ top: `${hundredthOf(line)}%` }}
        />
      ))}
    </div>
  )
}
