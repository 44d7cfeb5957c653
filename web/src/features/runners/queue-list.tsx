import type { QueueItem } from '@flightdeck/api'

import { paths } from '../../lib/paths.ts'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

function Row({ item }: { item: QueueItem }) {
  const { namespace, name, build, stage, stage_name: stageName, status, machine, waiting } = item
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        href={paths.build(namespace, name, build, stage)}
        className="flex min-h-(--row) items-center gap-3 px-4 py-(--row-space) -outline-offset-2 hover:bg-raised"
      >
        <StatusIcon status={status} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate">
            <span className="font-medium">
              {namespace}/{name}
            </span>{' '}
            <span className="text-muted tabular-nums">#{build}</span> {stageName}
          </span>
          <span className="text-sm text-muted">{waiting?.text ?? (machine && `Running on ${machine}`)}</span>
        </span>
        <span className="shrink-0 text-right text-sm text-muted">
          {item.started ? <Duration started={item.started} finished={0} /> : <RelativeTime seconds={item.created} />}
        </span>
      </Link>
    </li>
  )
}

export function QueueList({ items, total }: { items: readonly QueueItem[]; total: number }) {
  return (
    <>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {items.map((item) => (
          <Row key={item.stage_id} item={item} />
        ))}
      </ul>
      {total > items.length && (
        <p className="text-sm text-muted">
          The first {items.length} of {total}.
        </p>
      )}
    </>
  )
}
