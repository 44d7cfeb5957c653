import type { PipelineText } from '@flightdeck/api'
import { useState } from 'react'

import { plural } from '../../../lib/text.ts'
import { NumberedLine } from '../numbered-line.tsx'

/** More lines than anybody reads in a drawer. */
const maxLines = 2_000

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' })

/**
 * A file with line numbers. The file is untrusted (anyone with push access can change it), so each
 * line is rendered as plain text.
 */
export function FileText({ file, line }: { file: PipelineText; line: number | undefined }) {
  const [lines] = useState(() => file.text.replace(/\n$/, '').split('\n'))
  const left = lines.length - maxLines
  return (
    <div>
      <div
        // A scrollable region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={`Contents of ${file.path}`}
        className="max-h-80 overflow-auto rounded-md border border-line bg-raised py-2 font-mono text-sm leading-5"
      >
        {lines.slice(0, maxLines).map((text, index) => {
          const number = index + 1
          const marked = number === line
          return (
            <NumberedLine
              key={number}
              number={number}
              text={text}
              marked={marked}
              ref={marked ? intoView : undefined}
            />
          )
        })}
      </div>
      {(left > 0 || file.cut) && (
        <p className="mt-1 text-sm text-muted">
          {left > 0
            ? `${plural(left, 'more line is', 'more lines are')} not shown.`
            : 'The rest of the file is not shown.'}
        </p>
      )}
    </div>
  )
}
