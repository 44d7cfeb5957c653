import { Fragment } from 'react'

import { visibleParts } from './visible.ts'

/** Untrusted text from commits: hidden characters are shown, and it is laid out left to right. */
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
