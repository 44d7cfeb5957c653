import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'

import { useStore } from '../browser/store.ts'
import { toasts, type ToastItem } from './toast.ts'

const looks = {
  success: { Icon: CircleCheck, colour: 'text-success' },
  warning: { Icon: TriangleAlert, colour: 'text-warning' },
  error: { Icon: CircleAlert, colour: 'text-danger' },
}

function Toast({ kind, text }: ToastItem) {
  const { Icon, colour } = looks[kind]
  return (
    <li className="flex max-w-110 animate-appear items-start gap-2 rounded-lg border border-line bg-surface px-3 py-2 text-ink shadow-overlay">
      <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden="true" />
      <span className="line-clamp-6 min-w-0">{text}</span>
    </li>
  )
}

/**
 * In pixels: the distance from the window's top, the height of a toast with its gap, half the width
 * of the widest one.
 */
const usualTop = 16
const toastHeight = 56
const halfWidth = 220

/** Below error messages that it would cover. */
const topOf = (count: number): number => {
  const middle = innerWidth / 2
  const errors = [...document.querySelectorAll('[role=alert], [data-error]')]
    .map((error) => error.getBoundingClientRect())
    .filter(({ left, right, height }) => height > 0 && left < middle + halfWidth && right > middle - halfWidth)
    .toSorted((a, b) => a.top - b.top)
  let top = usualTop
  for (const error of errors)
    if (error.bottom > top && error.top < top + count * toastHeight) top = error.bottom + usualTop / 2
  return top + toastHeight > innerHeight ? usualTop : top
}

/** Reopens the popover on each change, so that it is above dialogs opened since. */
const keepOnTop = (list: HTMLElement | null) => {
  if (!list) return undefined
  const raise = () => {
    if (list.matches(':popover-open')) list.hidePopover()
    const count = toasts.get().length
    if (count === 0) return
    const place = () => list.style.setProperty('top', `${topOf(count)}px`)
    place()
    list.showPopover()
    // A form may render its error in the same frame.
    requestAnimationFrame(place)
  }
  raise()
  return toasts.subscribe(raise)
}

/** At the top center. A popover, so that it is above dialogs. */
export function ToastHost() {
  const items = useStore(toasts)
  return (
    <div
      ref={keepOnTop}
      popover="manual"
      role="status"
      aria-live="polite"
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-0 top-4 bottom-auto m-0 w-full overflow-visible border-0 bg-transparent p-0 px-4"
    >
      <ul className="flex flex-col items-center gap-2">
        {items.map((item) => (
          <Toast key={item.id} {...item} />
        ))}
      </ul>
    </div>
  )
}
