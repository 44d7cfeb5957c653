import type { Reason } from '../../lib/reason.ts'
import { Duration } from '../../ui/duration.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

export const rowClass = 'flex min-h-9 w-full min-w-0 items-center gap-2 rounded-md px-2 py-0.5 text-left touch:min-h-11'
export const selectedRowClass = 'bg-accent-soft text-ink'

/** The text of a stage or step in the navigation. */
export function RowText({
  status,
  name,
  started,
  stopped,
  reason,
  reasonId,
}: {
  status: string
  name: string
  reason?: Reason | undefined
  /**
   * The element with this id describes the row, but does not name it: "Canceled by ann" would sound
   * like a button that cancels.
   */
  reasonId?: string
  started?: number | undefined
  stopped?: number | undefined
}) {
  return (
    <>
      <StatusIcon status={status} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate" title={name}>
          {name}
        </span>
        {reason && (
          <span
            id={reasonId}
            aria-hidden={reasonId !== undefined}
            className="line-clamp-3 text-sm font-normal text-muted"
          >
            <ReasonText reason={reason} />
          </span>
        )}
      </span>
      {started ? (
        <Duration status={status} started={started} finished={stopped} className="text-sm text-muted" />
      ) : null}
    </>
  )
}
