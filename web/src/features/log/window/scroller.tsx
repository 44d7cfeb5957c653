import type { ComponentProps } from 'react'

import { cx } from '../../../ui/class-names.ts'

/** What scrolls lines. It can have the focus, for scrolling by keyboard needs it. */
export function Scroller({ className, children, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cx('min-h-0 flex-1 overflow-auto font-console text-sm', className)}
      {...rest}
    >
      {children}
    </div>
  )
}
