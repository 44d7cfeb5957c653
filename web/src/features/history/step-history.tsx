import { Suspense, useState } from 'react'

import { useNow } from '../../browser/clock.ts'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { cx } from '../../ui/class-names.ts'
import { useHistory, type FailedAt } from './use-history.ts'
import { isFlaky, shortWords } from './words.ts'

const HistoryDialog = lazyPart(async () => (await import('./history-dialog.tsx')).HistoryDialog)

/**
 * Shown next to a failed step: whether it failed before, and whether it is flaky, with figures; a
 * click lists the cases. It uses reserved space, so nothing shifts when it loads.
 */
export function StepHistory({ of, at }: { of: string; at: FailedAt }) {
  const history = useHistory(at)
  const now = useNow('minute')
  const [open, setOpen] = useState(false)
  const [first, ...others] = shortWords(history, now)
  if (first === undefined) return null
  const title = `${of}: failure history`
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={[first, ...others].join('. ')}
        className={cx(
          'relative min-w-0 truncate rounded-sm text-sm hover:underline touch:min-h-11 touch:min-w-11',
          isFlaky(history.runs) ? 'text-warning' : 'text-muted hover:text-ink',
        )}
        onPointerEnter={() => HistoryDialog.prepare()}
        onFocus={() => HistoryDialog.prepare()}
        onClick={() => setOpen(true)}
      >
        {first}
        {others.length > 0 && <span className="max-lg:sr-only">{`. ${others.join('. ')}`}</span>}
      </button>
      {open && (
        <Suspense>
          <HistoryDialog at={at} title={title} history={history} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
