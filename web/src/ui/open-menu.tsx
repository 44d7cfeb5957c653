import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useRef, useState, type FocusEvent, type ReactNode } from 'react'

import { cx } from './class-names.ts'
import { bufferKeys, type KeyBuffer } from './key-buffer.ts'

export interface MenuItem {
  label: string
  /** A description, shown below. */
  note?: string
  onSelect: () => void
  danger?: boolean
}

export interface MenuButtonProps {
  'aria-label'?: string
  title?: string
  'aria-disabled'?: boolean | undefined
  'aria-busy'?: boolean | undefined
  className: string
  children: ReactNode
}

/** A button that is pressed with a key has no preceding pointer event (UI Events, `detail`). */
const byKeyboard = (event: Event): boolean =>
  event instanceof KeyboardEvent || (event instanceof MouseEvent && event.detail === 0)

/** The menu with its behavior; loaded with its library shortly before the first one is opened. */
export function OpenMenu({
  items,
  button,
  busy,
  ahead: keyBuffer,
}: {
  items: readonly MenuItem[]
  button: MenuButtonProps
  busy: boolean
  /** The keys pressed since the click that opened it. */
  ahead: KeyBuffer
}) {
  const [open, setOpen] = useState(false)
  // Not at the end of the page: only the content of a modal dialog can be reached.
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  // The click that opened it came before this was rendered; repeated, so that the first item has
  // the focus.
  const pressed = useRef(false)
  useEffect(() => {
    if (pressed.current) return
    pressed.current = true
    trigger.current?.click()
  }, [])
  const keys = useRef<KeyBuffer | undefined>(keyBuffer)
  useEffect(() => () => keys.current?.stop(), [])
  const onOpenChange = (isRequested: boolean, { event }: Base.Root.ChangeEventDetails) => {
    const opens = isRequested && !busy
    setOpen(opens)
    if (!opens) {
      keys.current?.stop()
      keys.current = undefined
    } else if (byKeyboard(event)) keys.current ??= bufferKeys(items.length)
  }
  /** The menu has the focus: earlier keys are handled now. */
  const onFocus = ({ target, currentTarget }: FocusEvent) => {
    const pressed = keys.current
    if (!pressed || target === currentTarget) return
    keys.current = undefined
    pressed.stop()
    if (pressed.end === 'closed') {
      setOpen(false)
      return
    }
    const item = currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')[pressed.at]
    item?.focus()
    if (pressed.end === 'chosen') item?.click()
  }
  return (
    <Base.Root modal={false} open={open} onOpenChange={onOpenChange}>
      {/* In one box: the menu's focus guards would be two more items in a row with gaps. */}
      <div className="inline-flex">
        <Base.Trigger ref={trigger} {...button} />
        <div ref={place} className="contents" />
      </div>
      <Base.Portal container={place}>
        <Base.Positioner align="end" sideOffset={4} positionMethod="fixed" className="z-40">
          <Base.Popup
            onFocus={onFocus}
            className="min-w-44 animate-appear rounded-lg border border-line bg-surface p-1 shadow-overlay outline-none"
          >
            {items.map((item) => (
              <Base.Item
                key={item.label}
                className={cx(
                  'flex min-h-8 w-full cursor-default flex-col justify-center rounded-md px-2 text-left outline-none data-highlighted:bg-raised touch:min-h-11',
                  item.note && 'py-1',
                  item.danger ? 'text-danger' : 'text-ink',
                )}
                onClick={item.onSelect}
              >
                <span className="whitespace-nowrap">{item.label}</span>
                {item.note && <span className="max-w-72 text-sm text-muted">{item.note}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
