import { placeIn } from '../fresh/chosen-rows.ts'

export interface TicksProps {
  /** How many lines the log has. */
  lines: number
  /** No others are shown. */
  only: Uint32Array | undefined
  /** Hundredths of the log that hold a hit of the search. */
  hits: readonly number[]
  /** The lines that tell why the step failed. */
  telling: ReadonlySet<number>
}

const look = 'absolute right-0 h-0.5'

/** Where in the log the hits and the decisive lines lie, beside the scroll bar. */
export function Ticks({ lines, only, hits, telling }: TicksProps) {
  const hundredthOf = (line: number): number =>
    Math.floor((100 * (only ? placeIn(only, line) : line)) / (only?.length ?? lines))
  // Of hits only the hundredths among all lines are known.
  const shownHits = only ? [] : hits
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-0 w-2">
      {shownHits.map((tick) => (
        <span key={tick} className={`${look} w-1 bg-warning`} style={{ top: `${tick}%` }} />
      ))}
      {[...telling].map((line) => (
        <span key={line} data-cause className={`${look} w-2 bg-danger`} style={{ top: `${hundredthOf(line)}%` }} />
      ))}
    </div>
  )
}
