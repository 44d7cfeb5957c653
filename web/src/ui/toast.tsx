import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'

import { createStore, useStore } from '../browser/store.ts'

type Kind = 'success' | 'warning' | 'error'
interface ToastItem {
  id: number
  kind: Kind
  text: string
  /** What to do when it has gone. */
  onGone?: (() => void) | undefined
}

/** Specification §9: "Toast default 3 s, at most 3 toasts". */
const lifetime = 3_000
const most = 3

const toasts = createStore<readonly ToastItem[]>([])
let lastId = 0

const keep = (items: readonly ToastItem[]): void => {
  const gone = toasts.get().filter((item) => !items.includes(item))
  toasts.set(items)
  for (const item of gone) item.onGone?.()
}

const show = (kind: Kind, text: string, onGone?: () => void): void => {
  lastId += 1
  const id = lastId
  // A fourth replaces the oldest (readings, "Dialogs and settings").
  keep([...toasts.get(), { id, kind, text, onGone }].slice(-most))
  setTimeout(() => keep(toasts.get().filter((item) => item.id !== id)), lifetime)
}

export const toast = {
  success: (text: string) => show('success', text),
  warning: (text: string) => show('warning', text),
  error: (text: string, onGone?: () => void) => show('error', text, onGone),
}

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

/** Pixels: from the window's top, of one toast with its gap, of half the widest one. */
const usualTop = 16
const toastHeight = 56
const halfWidth = 220

/** Below what tells an error, where they would cover it. */
const topFor = (count: number): number => {
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

/** Opens the list anew with each change, so that it stands above dialogs that were opened since. */
const keepOnTop = (list: HTMLElement | null) => {
  if (!list) return undefined
  const raise = () => {
    if (list.matches(':popover-open')) list.hidePopover()
    const count = toasts.get().length
    if (count === 0) return
    const place = () => list.style.setProperty('top', `${topFor(count)}px`)
    place()
    list.showPopover()
    // A form tells its error at the same moment.
    requestAnimationFrame(place)
  }
  raise()
  return toasts.subscribe(raise)
}

/** Top centre. A popover, for dialogs are above all that is none. */
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
