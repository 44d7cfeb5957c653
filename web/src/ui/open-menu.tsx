import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useRef, useState, type ReactNode } from 'react'

import { cx } from './class-names.ts'

export interface MenuItem {
  label: string
  /** What else it does, below. */
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

/** The menu with its behaviour; loaded with its library when somebody is about to open the first one. */
export function OpenMenu({
  items,
  button,
  busy,
}: {
  items: readonly MenuItem[]
  button: MenuButtonProps
  busy: boolean
}) {
  const [open, setOpen] = useState(false)
  // Not at the end of the page: beside a modal dialog's content nothing else can be reached.
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  // The press that asked for it came before this was here; made again, so that the first item has the focus.
  const pressed = useRef(false)
  useEffect(() => {
    if (pressed.current) return
    pressed.current = true
    trigger.current?.click()
  }, [])
  return (
    <Base.Root modal={false} open={open} onOpenChange={(wanted) => setOpen(wanted && !busy)}>
      {/* In one box: what keeps the focus in the menu would be two more things in a row with gaps. */}
      <span className="inline-flex">
        <Base.Trigger ref={trigger} {...button} />
        <div ref={place} className="contents" />
      </span>
      <Base.Portal container={place}>
        <Base.Positioner align="end" sideOffset={4} positionMethod="fixed" className="z-40">
          <Base.Popup className="min-w-44 animate-appear rounded-lg border border-line bg-surface p-1 shadow-overlay outline-none">
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
