import type { ComponentProps, ReactNode } from 'react'

import { cx } from './class-names.ts'
import { Tooltip, type TooltipSide } from './tooltip.tsx'

export const iconButtonClass =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-raised hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-pressed:bg-raised aria-pressed:text-accent touch:size-11'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name. */
  label: string
  /** What the tooltip says when it should say more than the name, such as a shortcut. */
  hint?: string
  side?: TooltipSide
  children: ReactNode
}

export function IconButton({
  label,
  hint,
  side = 'bottom',
  className,
  children,
  disabled,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={hint ?? label} side={side}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={disabled || undefined}
        className={cx(iconButtonClass, className)}
        onClick={disabled ? undefined : onClick}
      >
        {children}
      </button>
    </Tooltip>
  )
}
