import type { ReactNode } from 'react'

import { cx } from './class-names.ts'

export type TooltipSide = 'top' | 'bottom' | 'left' | 'right'

const sides: Record<TooltipSide, string> = {
  top: 'bottom-full left-1/2 mb-2 -translate-x-1/2',
  bottom: 'top-full left-1/2 mt-2 -translate-x-1/2',
  left: 'top-1/2 right-full mr-2 -translate-y-1/2',
  right: 'top-1/2 left-full ml-2 -translate-y-1/2',
}

/** Words beside something that has its own accessible name already; seen on hover and on keyboard focus. */
export function Tooltip({
  text,
  side = 'top',
  className,
  children,
}: {
  text: string
  side?: TooltipSide
  className?: string
  children: ReactNode
}) {
  return (
    <span className={cx('group/tooltip relative inline-flex', className)}>
      {children}
      <span
        aria-hidden="true"
        className={cx(
          'pointer-events-none invisible absolute z-50 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-canvas opacity-0 transition-opacity delay-300',
          'group-hover/tooltip:visible group-hover/tooltip:opacity-100 group-has-focus-visible/tooltip:visible group-has-focus-visible/tooltip:opacity-100 touch:hidden',
          sides[side],
        )}
      >
        {text}
      </span>
    </span>
  )
}
