import { EllipsisVertical } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

import { cx } from './class-names.ts'
import { iconButtonClass } from './icon-button.tsx'

export interface MenuItem {
  label: string
  onSelect: () => void
  danger?: boolean
}

export interface MenuProps {
  /** The accessible name of the button. */
  label: string
  items: readonly MenuItem[]
  /** In place of the three dots. */
  children?: ReactNode
  buttonClassName?: string
}

const itemsOf = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
]

/** ARIA's menu button: arrows, Home, End and first letters move; Escape and Tab leave; the focus comes back. */
export function Menu({ label, items, children, buttonClassName }: MenuProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!open) return undefined
    itemsOf(menu.current)[0]?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const all = itemsOf(menu.current)
    const at = all.findIndex((item) => item === document.activeElement)
    const to = (index: number) => {
      event.preventDefault()
      all.at(index % all.length)?.focus()
    }
    if (event.key === 'ArrowDown') to(at + 1)
    else if (event.key === 'ArrowUp') to(at - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(-1)
    else if (event.key === 'Tab') setOpen(false)
    else if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key.length === 1) {
      const letter = event.key.toLowerCase()
      const found = all.findIndex((item) => item.textContent.toLowerCase().startsWith(letter))
      if (found >= 0) to(found)
    }
  }

  return (
    <div ref={root} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={children ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        title={children ? undefined : label}
        className={buttonClassName ?? iconButtonClass}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children ?? <EllipsisVertical className="size-4" aria-hidden="true" />}
      </button>
      {open && (
        <div
          ref={menu}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="absolute top-full right-0 z-40 mt-1 min-w-44 animate-appear rounded-lg border border-line bg-surface p-1 shadow-overlay"
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={cx(
                'flex h-8 w-full items-center rounded-md px-2 text-left whitespace-nowrap hover:bg-raised focus-visible:bg-raised touch:h-11',
                item.danger ? 'text-danger' : 'text-ink',
              )}
              onClick={() => {
                close()
                item.onSelect()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
