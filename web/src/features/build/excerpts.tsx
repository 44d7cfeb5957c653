import type { Excerpt } from '@flightdeck/api'

/** The lines that an error names. Whoever may push wrote them: text, and nothing else. */
function Lines({ excerpt: { line, lines } }: { excerpt: Excerpt }) {
  return (
    <div
      role="figure"
      aria-label={`Line ${line}`}
      className="overflow-x-auto rounded-md border border-line bg-surface py-2 font-mono text-sm leading-5"
    >
      {lines.map(({ number, text }) => (
        <div
          key={number}
          aria-current={number === line ? 'location' : undefined}
          className={`flex w-max min-w-full gap-3 border-l-3 pr-3 ${number === line ? 'border-danger bg-danger-soft' : 'border-transparent'}`}
        >
          <span className="w-10 shrink-0 text-right text-muted select-none">{number}</span>
          <bdi dir="ltr" className="whitespace-pre">
            {text}
          </bdi>
        </div>
      ))}
    </div>
  )
}

/** What an error of the pipeline file is about. */
export function Excerpts({ of }: { of: { excerpts?: readonly Excerpt[] } }) {
  return of.excerpts?.map((excerpt) => <Lines key={excerpt.line} excerpt={excerpt} />)
}
