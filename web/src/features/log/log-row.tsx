import { memo, type MouseEvent } from 'react'

import { formatNumber } from '../../lib/text.ts'
import type { LineView, Part } from '../../lib/log/view.ts'

function PartText({ part, current }: { part: Part; current: boolean }) {
  if (part.href) {
    const { href, ...rest } = part
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        <PartText part={rest} current={current} />
      </a>
    )
  }
  if (part.hit !== undefined)
    return (
      <mark style={part.look} data-current={current || undefined}>
        {part.text}
      </mark>
    )
  return part.look ? <span style={part.look}>{part.text}</span> : part.text
}

export interface LogRowProps {
  index: number
  /** Undefined until the worker has answered. */
  view: LineView | undefined
  times: boolean
  marked: boolean
  /** The number of the search hit that is looked at; -1 for none in this line. */
  currentHit: number
  /** Where the row stands, if it is kept in the document only for the selection's sake. */
  pinnedAt: number | undefined
  onNumber: (event: MouseEvent, number: number) => void
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { index, view, times, marked, currentHit, pinnedAt, onNumber } = props
  const pinned = pinnedAt === undefined ? undefined : ({ position: 'absolute', top: pinnedAt } as const)
  if (!view) return <div className="log-row" data-line={index} style={pinned} />
  return (
    <div className="log-row" data-line={index} data-marked={marked || undefined} style={pinned}>
      <a className="log-number" href={`#L${view.number}`} onClick={(event) => onNumber(event, view.number)}>
        {view.number}
      </a>
      <span className="log-text" data-text="">
        {view.parts.map((part, i) => (
          // Parts have no identity of their own; a line is always drawn whole.
          // oxlint-disable-next-line react/no-array-index-key
          <PartText key={i} part={part} current={part.hit !== undefined && part.hit === currentHit} />
        ))}
        {view.cut > 0 && (
          <em className="text-muted select-none"> … {formatNumber(view.cut)} more characters, whole in the download</em>
        )}
      </span>
      {times && <span className="log-time">{view.time}s</span>}
    </div>
  )
})
