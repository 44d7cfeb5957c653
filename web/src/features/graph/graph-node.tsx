import { isFailed, type Stage, type Step } from '@flightdeck/api'
import { memo } from 'react'

import { isSelectable, isWaiting } from './layout/selectable.ts'
import { cx } from '../../ui/class-names.ts'
import { reasonOf } from '../../lib/reason.ts'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

export type NodeItem = Pick<Stage | Step, 'number' | 'name' | 'status' | 'waiting' | 'ended' | 'error'> & {
  started?: number
  stopped?: number
  depends_on?: string[]
  /** A service: it runs alongside the other steps and ends with them. */
  detached?: boolean
  taken_over?: number
  approved?: number
}

export interface GraphNodeProps {
  item: NodeItem
  href: string
  selected: boolean
  /** It is on the critical path, if there is more than one path. */
  critical: boolean
}

const nodeClass = 'flex h-14 w-50 items-center gap-2.5 rounded-lg border px-3'

/** The selected node also has a ring around it (graph.css). */
const edgeOf = ({ status }: NodeItem, critical: boolean): string => {
  if (isFailed(status)) return 'border-l-3 border-danger'
  if (isWaiting(status)) return 'border-dashed border-line-strong'
  return critical ? 'border-line-strong' : 'border-line'
}

/** The card of a stage or step: name, status and duration. */
export const GraphNode = memo(function GraphNode({ item, href, selected, critical }: GraphNodeProps) {
  const reason = reasonOf(item)
  const content = (
    <>
      <StatusIcon status={item.status} size={20} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="graph-name truncate font-medium" title={reason ? `${item.name}: ${reason.text}` : item.name}>
          {item.name}
        </span>
        <Duration
          status={item.status}
          started={item.started}
          finished={item.stopped}
          className="graph-time truncate text-sm text-muted"
        >
          {critical && ' · critical'}
        </Duration>
        {reason && <span className="sr-only">{reason.text}</span>}
      </span>
    </>
  )
  if (!isSelectable(item.status))
    return (
      <div
        className={cx(nodeClass, 'cursor-not-allowed bg-canvas text-muted', edgeOf(item, critical))}
        aria-disabled="true"
      >
        {content}
      </div>
    )
  return (
    <Link
      href={href}
      aria-current={selected || undefined}
      draggable={false}
      className={cx(nodeClass, 'bg-surface text-ink transition-colors hover:bg-raised', edgeOf(item, critical))}
    >
      {content}
    </Link>
  )
})
