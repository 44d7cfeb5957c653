/** Where in the log the hits lie, beside the scroll bar. */
export function Ticks({ ticks }: { ticks: readonly number[] }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-0 w-1">
      {ticks.map((tick) => (
        <span key={tick} className="absolute right-0 h-0.5 w-1 bg-warning" style={{ top: `${tick}%` }} />
      ))}
    </div>
  )
}
