import { startTransition, useOptimistic } from 'react'

import { cx } from '../../ui/class-names.ts'

import { views, type View } from './view-address.ts'

const labels: Record<View, string> = { log: 'Log View', graph: 'Graph View', timeline: 'Timeline' }

/** Specification §2: "Log View and Graph View toggles; the choice is remembered." */
export interface ViewToggleProps {
  view: View
  /** Called in a transition. */
  onView: (view: View) => void
  /** Called on hover or focus, to prefetch the code. */
  onIntent: () => void
}

export function ViewToggle({ view, onView, onIntent }: ViewToggleProps) {
  // Optimistic, since rendering hundreds of stages takes a while.
  const [pressed, press] = useOptimistic(view)
  const choose = (choice: View): void =>
    startTransition(() => {
      press(choice)
      onView(choice)
    })
  return (
    <div role="group" aria-label="View" className="inline-flex shrink-0 rounded-md border border-line bg-surface p-0.5">
      {views.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === pressed}
          className={cx(
            'h-6.5 rounded-[4px] px-2.5 text-sm font-medium whitespace-nowrap transition-colors touch:h-10',
            choice === pressed ? 'bg-raised text-ink' : 'text-muted hover:text-ink',
          )}
          onPointerEnter={onIntent}
          onFocus={onIntent}
          onClick={() => choose(choice)}
        >
          {labels[choice]}
        </button>
      ))}
    </div>
  )
}
