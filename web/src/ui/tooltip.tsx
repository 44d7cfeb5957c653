import type { ReactNode } from 'react'

import { cx } from './class-names.ts'

/** `rail`: to the right of the rail; above it if it is a bar at the bottom, inside the window. */
export type TooltipSide = 'top' | 'bottom' | 'left' | 'right' | 'rail'

const sides: Record<TooltipSide, string> = {
  top: 'after:bottom-full after:left-1/2 after:mb-2 after:-translate-x-1/2',
  bottom: 'after:top-full after:left-1/2 after:mt-2 after:-translate-x-1/2',
  left: 'after:top-1/2 after:right-full after:mr-2 after:-translate-y-1/2',
  rail: 'max-md:after:right-0 max-md:first:after:right-auto max-md:first:after:left-0 max-md:after:bottom-full max-md:after:mb-2 md:after:top-1/2 md:after:left-full md:after:ml-2 md:after:-translate-y-1/2',
  right: 'after:top-1/2 after:left-full after:ml-2 after:-translate-y-1/2',
}

/**
 * A tooltip for an element that already has an accessible name; shown on hover and keyboard focus.
 * It is rendered by CSS, so that the text is not in the page twice.
 */
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
    <span
      data-tip={text}
      className={cx(
        'relative inline-flex after:pointer-events-none after:invisible after:absolute after:z-50 after:rounded-md after:bg-ink after:px-2 after:py-1 after:text-xs after:max-w-80 after:truncate after:text-canvas after:opacity-0 after:transition-opacity after:delay-300 after:content-[attr(data-tip)]',
        'hover:after:visible hover:after:opacity-100 has-focus-visible:after:visible has-focus-visible:after:opacity-100 touch:after:hidden',
        sides[side],
        className,
      )}
    >
      {children}
    </span>
  )
}
