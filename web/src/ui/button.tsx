import type { ComponentProps } from 'react'

import { buttonClass, type ButtonSize, type ButtonVariant } from './button-styles.ts'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Its action is pending: shows a spinner and ignores clicks. */
  busy?: boolean
  /** Why it is disabled, shown as a tooltip. The button stays in the tab order. */
  disabledReason?: string | undefined
}

export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  disabledReason,
  disabled = false,
  className,
  children,
  onClick,
  type = 'button',
  title,
  ...rest
}: ButtonProps) {
  const off = busy || disabled || disabledReason !== undefined
  return (
    <button
      {...rest}
      type={type}
      title={disabledReason ?? title}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      className={buttonClass(variant, size, className)}
      onClick={(event) => {
        // `aria-disabled` keeps the focus in place, so clicks must be ignored here (including form
        // submission).
        if (off) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
