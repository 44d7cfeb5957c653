import type { Excerpt } from '@flightdeck/api'

import { NumberedLine } from './numbered-line.tsx'

/**
 * The source lines that an error refers to. They are untrusted (anyone with push access can change
 * them), so they are rendered as plain text.
 */
function Lines({ excerpt: { line, lines } }: { excerpt: Excerpt }) {
  return (
    <div
      role="figure"
      aria-label={`Line ${line}`}
      className="overflow-x-auto rounded-md border border-line bg-surface py-2 font-mono text-sm leading-5"
    >
      {lines.map(({ number, text }) => (
        <NumberedLine
          key={number}
          number={number}
          text={text}
          marked={number === line}
          className={`border-l-3 ${number === line ? 'border-danger' : 'border-transparent'}`}
        />
      ))}
    </div>
  )
}

/** The lines of the pipeline file that an error refers to. */
export function Excerpts({ of }: { of: { excerpts?: readonly Excerpt[] } }) {
  return of.excerpts?.map((excerpt) => <Lines key={excerpt.line} excerpt={excerpt} />)
}
