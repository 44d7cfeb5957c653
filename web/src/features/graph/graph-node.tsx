import type { Stage, Step, Waiting } from '@flightdeck/api'

import { isSelectable } from './layout/selectable.ts'
import { cx } from '../../ui/class-names.ts'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

export type NodeItem = Pick<Stage | Step, 'number' | 'name' | 'status'> & {
  started?: number
  stopped?: number
  waiting?: Waiting
  depends_on?: string[]
}

export interface GraphNodeProps {
  item: NodeItem
  href: string
  selected: boolean
  critical: boolean
  onChoose: () => void
}

const look = 'flex h-14 w-50 items-center gap-2.5 rounded-lg border bg-surface px-3 text-ink'

export function GraphNode({ item, href, selected, critical, onChoose }: GraphNodeProps) {
  const content = (
    <>
      <StatusIcon status={item.status} size={20} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium" title={item.waiting ? `${item.name}: ${item.waiting.text}` : item.name}>
          {item.name}
        </span>
        <Duration status={item.status} started={item.started} finished={item.stopped} className="text-sm text-muted" />
      </span>
    </>
  )
  if (!isSelectable(item.status))
    return (
      <div className={cx(look, 'cursor-not-allowed border-dashed border-line text-muted')} aria-disabled="true">
        {content}
      </div>
    )
  return (
    <Link
      href={href}
      aria-current={selected || undefined}
      draggable={false}
      className={cx(
        look,
        'transition-colors hover:bg-raised',
        selected ? 'border-accent ring-1 ring-accent' : critical ? 'border-line-strong' : 'border-line',
      )}
      onClick={onChoose}
    >
      {content}
    </Link>
  )
}
