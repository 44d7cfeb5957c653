import type { ComponentProps, ReactNode } from 'react'

import { cx } from './class-names.ts'
import { Spinner } from './spinner.tsx'
import { Tooltip, type TooltipSide } from './tooltip.tsx'

export const iconButtonClass =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-raised hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-pressed:bg-raised aria-pressed:text-accent touch:size-11'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name. */
  label: string
  /** The text of the tooltip, if it has more than the name, for example a shortcut. */
  hint?: string
  side?: TooltipSide
  /** Its action is pending: shows a spinner and ignores clicks. */
  busy?: boolean
  children: ReactNode
}

export function IconButton({
  label,
  hint,
  side = 'bottom',
  className,
  children,
  disabled = false,
  busy = false,
  onClick,
  ...rest
}: IconButtonProps) {
  const off = disabled || busy
  return (
    <Tooltip text={hint ?? label} side={side}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        className={cx(iconButtonClass, className)}
        onClick={off ? undefined : onClick}
      >
        {busy ? <Spinner /> : children}
      </button>
    </Tooltip>
  )
}
