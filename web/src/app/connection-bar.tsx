import { cx } from '../ui/class-names.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useStore } from '../browser/store.ts'
import { connection } from './live/index.ts'

const texts = {
  lost: 'Connection lost. What you see may be out of date. Reconnecting…',
  back: 'Reconnected.',
}

/**
 * A quiet note that the page is stale, and when it is current again (design.md, rule 4). It does
 * not cover any control.
 */
export function ConnectionBar() {
  const state = useStore(connection)
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-(--bar) z-40 flex justify-center p-3">
      {(state === 'lost' || state === 'back') && (
        <span
          className={cx(
            'flex animate-appear items-center gap-2 rounded-full border px-3 py-1 text-sm shadow-overlay',
            state === 'lost' ? 'border-warning bg-warning-soft text-ink' : 'border-success bg-success-soft text-ink',
          )}
        >
          {state === 'lost' && <Spinner className="text-warning" />}
          {texts[state]}
        </span>
      )}
    </div>
  )
}
