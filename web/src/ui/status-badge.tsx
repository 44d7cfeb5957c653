import { iconGroup, type IconGroup } from '@flightdeck/api'

import { cx } from './class-names.ts'
import { StatusIcon } from './status-icon.tsx'

const looks: Record<IconGroup, string> = {
  cross: 'bg-danger-soft text-danger',
  dash: 'bg-raised text-muted',
  circle: 'bg-warning-soft text-warning',
  tick: 'bg-success-soft text-success',
}

/**
 * Icon and text of a status. The icon is hidden from screen readers, since the text says the same.
 */
export function StatusBadge({ status, className }: { status: string; className?: string }) {
  return (
    <span
      className={cx(
        'inline-flex h-6 items-center gap-1.5 rounded-full pr-2.5 pl-1.5 text-sm font-medium whitespace-nowrap',
        looks[iconGroup(status)],
        className,
      )}
    >
      <span aria-hidden="true" className="inline-flex">
        <StatusIcon status={status} size={14} />
      </span>
      <span>{status.replaceAll('_', ' ')}</span>
    </span>
  )
}
