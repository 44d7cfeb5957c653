import { X } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from 'react'

import { cx } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { useAddress } from '../browser/navigation.tsx'
import { focusPage } from '../browser/page-focus.ts'
import { detectOutsidePress } from '../browser/outside-press.ts'
import { useRootAttribute } from '../browser/root-attribute.ts'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /**
   * A drawer (`wide` for files) is at the right edge, as high as the window, so its content can
   * grow without moving. A `full` one has all of the window for its content, which has a button
   * that closes it.
   */
  size?: 'sm' | 'md' | 'drawer' | 'wide' | 'full'
  /**
   * Stays open when the page behind it changes. Other dialogs are about that page, and close with
   * it.
   */
  outlivesPage?: boolean
  /**
   * A click outside does not close it, because its content cannot be shown again. The same applies
   * after typing in it.
   */
  precious?: boolean
}

const centred = 'm-auto max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] animate-appear rounded-lg border border-line'
const drawer = 'my-0 mr-0 ml-auto h-dvh max-h-none max-w-screen animate-slide-from-end border-l border-line'
const sizes = {
  sm: `w-110 ${centred}`,
  md: `w-160 ${centred}`,
  drawer: `w-160 ${drawer}`,
  wide: `w-230 ${drawer}`,
  full: 'm-auto h-dvh max-h-none w-screen max-w-none animate-appear',
}

/**
 * The native dialog: keeps the focus inside, returns it, and closes on Escape. Its content exists
 * only while it is open.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

/**
 * The first field; without fields the close button, because an action should be chosen
 * deliberately.
 */
const firstFocus = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector<HTMLElement>('[data-body] :is(input, select, textarea):enabled') ??
  dialog.querySelector<HTMLElement>('footer > :last-child') ??
  dialog

/**
 * The focused element; for a menu, which closes after the choice, the button that it is named
 * after.
 */
const openerOf = (focused: Element | null): Element | null => {
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : focused
}

function OpenDialog(props: DialogProps) {
  const { onClose, title, description, children, footer, size = 'sm', outlivesPage = false, precious = false } = props
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isOutsidePress = useRef<ReturnType<typeof detectOutsidePress>>(undefined)
  const typed = useRef(false)
  useRootAttribute('data-under-overlay')

  const { pathname } = useAddress()
  const [openedOn] = useState(pathname)
  const leave = useEffectEvent(() => onClose())
  const left = !outlivesPage && pathname !== openedOn
  useLayoutEffect(() => {
    if (left) leave()
  }, [left])

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    // React removes the element on closing, and the browser loses the earlier focus with it.
    const before = openerOf(document.activeElement)
    isOutsidePress.current = detectOutsidePress(before)
    // Chromium closes a dialog on the second Escape without a `cancel` event: reopen it, then ask
    // to leave.
    const onClosed = () => {
      if (dialog.open) return
      dialog.showModal()
      leave()
    }
    dialog.showModal()
    firstFocus(dialog)?.focus()
    dialog.addEventListener('close', onClosed)
    return () => {
      dialog.removeEventListener('close', onClosed)
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      else focusPage()
    }
  }, [])
  const onPress = (event: MouseEvent<HTMLDialogElement>) => {
    const closes = isOutsidePress.current?.(event.nativeEvent, event.target === event.currentTarget)
    if (closes && !precious && !typed.current) onClose()
  }
  return (
    // Escape is the equivalent for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      data-page={size === 'full' || undefined}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      className={cx(
        'flex-col overflow-hidden bg-surface p-0 text-ink shadow-overlay outline-none open:flex',
        sizes[size],
      )}
      onCancel={(event) => {
        event.preventDefault()
        // React's event bubbles to the dialogs around this one.
        if (event.target === event.currentTarget) onClose()
      }}
      onInput={() => (typed.current = true)}
      onPointerDown={onPress}
      onMouseDown={(event) => {
        // The focus stays in place if it does not close.
        if (event.target === event.currentTarget) event.preventDefault()
      }}
      onClick={onPress}
    >
      <header
        className={cx(
          size === 'full' ? 'sr-only' : 'flex gap-3 border-b border-line px-4 py-3',
          description ? 'items-start' : 'items-center',
        )}
      >
        <div className="min-w-0 flex-1">
          <h2 id={`${id}-title`} className="text-lg font-semibold">
            {title}
          </h2>
          {description && (
            <p id={`${id}-description`} className="mt-1 text-muted">
              {description}
            </p>
          )}
        </div>
        {size !== 'full' && (
          <IconButton label="Close" side="left" onClick={onClose}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </header>
      {children && (
        <div data-body className={cx('min-h-0 flex-1 overflow-y-auto', size !== 'full' && 'p-4')}>
          {children}
        </div>
      )}
      {footer && <footer className="flex flex-wrap gap-2 border-t border-line px-4 py-3">{footer}</footer>}
    </dialog>
  )
}
