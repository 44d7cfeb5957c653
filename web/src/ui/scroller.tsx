import type { ComponentProps } from 'react'

import { cx } from './class-names.ts'

/**
 * A scroll container with few or no focusable elements: it is focusable itself, for keyboard
 * scrolling.
 */
export function Scroller({ className, children, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cx('min-h-0 flex-1 overflow-auto', className)}
      {...rest}
    >
      {children}
    </div>
  )
}
