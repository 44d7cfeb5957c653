import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type MouseEvent } from 'react'

import { formatDuration } from '../../../lib/duration.ts'
import { plural } from '../../../lib/text.ts'
import type { LineView, Part } from '../engine/view.ts'
import { FileLink } from '../file-links/file-link.tsx'

function PartText({ part, current }: { part: Part; current: boolean }) {
  if (part.fileLocation) {
    const { fileLocation, ...rest } = part
    return (
      <FileLink location={fileLocation}>
        <PartText part={rest} current={current} />
      </FileLink>
    )
  }
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

function Parts({ view, currentHit }: { view: LineView; currentHit: number }) {
  return (
    <>
      {view.parts.map((part, i) => (
        // Parts have no identity; a line is always rendered as a whole.
        // oxlint-disable-next-line react/no-array-index-key
        <PartText key={i} part={part} current={part.hit !== undefined && part.hit === currentHit} />
      ))}
      {view.cut > 0 && (
        <em className="text-muted select-none"> … {plural(view.cut, 'more character')} (see the download)</em>
      )}
    </>
  )
}

export interface LogRowProps {
  index: number
  /** Undefined until the worker has responded. */
  view: LineView | undefined
  /** The timestamp; undefined if the column is hidden. */
  time: string | undefined
  marked: boolean
  /** It is an error line. */
  isCause: boolean
  /** The last successful run did not have it. */
  isNew: boolean
  /** The output of a command can be folded away. */
  foldable: boolean
  /** The index of the current search hit; -1 if it is not in this line. */
  currentHit: number
  /** The row's position, if it is only rendered to preserve the selection. */
  pinnedAt: number | undefined
  /** The row is a command whose output is folded. */
  folded: boolean
  onNumber: (event: MouseEvent, number: number) => void
  onFold: (index: number) => void
}

/** The text of a line without styles, like most lines: it renders in half the time. */
const plainOf = ({ parts, cut }: LineView): string | undefined => {
  const [part, more] = parts
  if (!part || more || cut > 0) return undefined
  const isPlain = !part.look && part.href === undefined && !part.fileLocation && part.hit === undefined
  return isPlain ? part.text : undefined
}

const textOf = (view: LineView): string => view.parts.map((part) => part.text).join('')

/** Folds the output of a command. */
function Fold({ view, folded, onFold }: { view: LineView; folded: boolean; onFold: (index: number) => void }) {
  const Icon = folded ? ChevronRight : ChevronDown
  return (
    <button
      type="button"
      className="log-fold"
      aria-expanded={!folded}
      aria-label={`Output of ${textOf(view).slice(2, 80)}`}
      onClick={() => onFold(view.index)}
    >
      <Icon className="size-3.5" aria-hidden="true" />
    </button>
  )
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { index, view, time, marked, isCause, isNew, foldable, currentHit, pinnedAt, folded, onNumber, onFold } = props
  const pinned = pinnedAt === undefined ? undefined : ({ position: 'absolute', top: pinnedAt } as const)
  const group = foldable ? view?.group : undefined
  // As wide in each part as a row with text, because it can be measured.
  if (!view)
    return (
      <div className="log-row" data-line={index} style={pinned}>
        <span className="log-number" />
        <span className="log-text" data-text="" />
        {time !== undefined && <span className="log-time" />}
      </div>
    )
  return (
    <div
      className="log-row"
      data-line={index}
      data-marked={marked || undefined}
      data-telling={isCause || undefined}
      data-fresh={isNew || undefined}
      style={pinned}
    >
      <a
        className="log-number"
        href={`#L${view.number}`}
        aria-label={
          isCause || isNew ? `${view.number}${isCause ? ', error line' : ''}${isNew ? ', new' : ''}` : undefined
        }
        onClick={(event) => onNumber(event, view.number)}
      >
        {view.number}
      </a>
      {group && group.end > index + 1 && <Fold view={view} folded={folded} onFold={onFold} />}
      <span className="log-text" data-text="">
        {plainOf(view) ?? <Parts view={view} currentHit={currentHit} />}
      </span>
      {folded && group && <span className="log-folded">{plural(group.end - index - 1, 'line')}</span>}
      {group && group.seconds > 0 && (
        <span className="log-took" data-timed={time !== undefined || undefined} title="How long this command took">
          {formatDuration(group.seconds)}
        </span>
      )}
      {time !== undefined && <span className="log-time">{time}</span>}
    </div>
  )
})
