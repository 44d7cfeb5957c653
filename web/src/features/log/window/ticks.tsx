export interface TicksProps {
  /** Hundredths of the log that hold a hit of the search. */
  hits: readonly number[]
  /** Hundredths of the log where it tells why the step failed. */
  causes: readonly number[]
}

const look = 'absolute right-0 h-0.5'

/** Where in the log the hits and the decisive lines lie, beside the scroll bar. */
export function Ticks({ hits, causes }: TicksProps) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-0 w-2">
      {hits.map((tick) => (
        <span key={tick} className={`${look} w-1 bg-warning`} style={{ top: `${tick}%` }} />
      ))}
      {causes.map((tick) => (
        <span key={tick} data-cause className={`${look} w-2 bg-danger`} style={{ top: `${tick}%` }} />
      ))}
    </div>
  )
}
