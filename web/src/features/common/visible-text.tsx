import { Fragment } from 'react'

import { visibleParts } from './visible.ts'

/** Text of whoever may push: nothing in it is hidden, and it reads from left to right. */
export function VisibleText({ text, keep }: { text: string; keep?: string }) {
  return (
    <bdi dir="ltr">
      {visibleParts(text, keep).map((part) => (
        <Fragment key={part.at}>
          {'text' in part ? (
            part.text
          ) : (
            <span className="rounded-sm bg-warning-soft px-1 text-warning" title={part.code}>
              {part.name}
            </span>
          )}
        </Fragment>
      ))}
    </bdi>
  )
}
