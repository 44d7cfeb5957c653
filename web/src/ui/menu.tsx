import { EllipsisVertical } from 'lucide-react'
import { Suspense, useDeferredValue, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'

import { iconButtonClass } from './icon-button.tsx'
import { bufferKeys, type KeyBuffer } from './key-buffer.ts'
import { lazyPart } from '../browser/lazy-part.tsx'
import { Spinner } from './spinner.tsx'
import type { MenuButtonProps, MenuItem } from './open-menu.tsx'

export type { MenuItem }

export interface MenuProps {
  /** The accessible name of the button. */
  label: string
  items: readonly MenuItem[]
  /** Shown instead of the three dots. */
  children?: ReactNode
  buttonClassName?: string
  /** The chosen action is pending: shows a spinner and does not open. */
  busy?: boolean
}

const OpenMenu = lazyPart(async () => (await import('./open-menu.tsx')).OpenMenu)

/** A button that opens a menu of actions. */
export function Menu({ label, items, children, buttonClassName, busy = false }: MenuProps) {
  const [keyBuffer, setKeyBuffer] = useState<KeyBuffer>()
  useEffect(() => keyBuffer?.stop, [keyBuffer])
  // Deferred: while the menu's code loads, the closed button stays, with its focus.
  const deferredBuffer = useDeferredValue(keyBuffer)
  const button: MenuButtonProps = {
    ...(!children && { 'aria-label': label, title: label }),
    'aria-disabled': busy || undefined,
    'aria-busy': busy || undefined,
    className: buttonClassName ?? iconButtonClass,
    children: (
      <>
        {busy && <Spinner />}
        {children ?? (!busy && <EllipsisVertical className="size-4" aria-hidden="true" />)}
      </>
    ),
  }
  const open = () => {
    if (!busy && !keyBuffer) setKeyBuffer(bufferKeys(items.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open()
  }
  const closed = (
    <button
      type="button"
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => OpenMenu.prepare()}
      onFocus={() => OpenMenu.prepare()}
      onClick={open}
      onKeyDown={onKeyDown}
    />
  )
  return (
    <Suspense fallback={closed}>
      {deferredBuffer ? <OpenMenu items={items} button={button} busy={busy} ahead={deferredBuffer} /> : closed}
    </Suspense>
  )
}
