import { useMemo } from 'react'

import { placeIn } from '../reading/filtered-rows.ts'
import { newLineTicks } from '../baseline/new-line-ticks.ts'

export interface TicksProps {
  /** How many lines the log has. */
  lines: number
  /** No others are shown. */
  only: Uint32Array | undefined
  /** Hundredths of the log that hold a hit of the search. */
  hits: readonly number[]
  /** The step's error lines. */
  telling: ReadonlySet<number>
  /** Those that the last successful run did not have. */
  newLines: Uint32Array | undefined
}

const look = 'absolute h-0.5'

/** Where in the log the new lines, the hits and the decisive lines lie, beside the scroll bar. */
export function Ticks({ lines, only, hits, telling, newLines }: TicksProps) {
  const hundredthOf = (line: number): number =>
    Math.floor((100 * (only ? placeIn(only, line) : line)) / (only?.length ?? lines))
  // Of hits only the hundredths among all lines are known.
  const shownHits = only ? [] : hits
  // Where there are no others a mark says nothing.
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
        <span key={tick} className={`${look} right-0 w-1 bg-warning`} style={{ top: `${tick}%` }} />
      ))}
      {[...telling].map((line) => (
        <span
          key={line}
          data-cause
          className={`${look} right-0 w-2 bg-danger`}
          style={{ top: `${hundredthOf(line)}%` }}
        />
      ))}
    </div>
  )
}
