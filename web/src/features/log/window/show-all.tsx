import { moveFocusOnRemoval } from '../../../browser/move-focus-on-removal.ts'
import { formatNumber } from '../../../lib/text.ts'
import { Button } from '../../../ui/button.tsx'

/** Says how much of the log is shown, with a button that shows all of it. */
export function ShowAll({
  first,
  lines,
  onShowAll,
  onRemoved,
}: {
  first: number
  lines: number
  onShowAll: () => void
  onRemoved: () => void
}) {
  return (
    <div className="flex items-center gap-3 text-sm whitespace-nowrap text-muted">
      <span>
        Last {formatNumber(lines - first)} of {formatNumber(lines)} lines
      </span>
      <Button ref={moveFocusOnRemoval(onRemoved)} size="sm" onClick={onShowAll}>
        Show all logs
      </Button>
    </div>
  )
}
