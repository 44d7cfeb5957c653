import type { ComponentProps } from 'react'

import { cx } from './class-names.ts'

/** What scrolls by itself and holds little or nothing that can have the focus: it has it, to be scrolled by keyboard. */
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
