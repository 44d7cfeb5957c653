import type { ComponentProps } from 'react'

import { buttonClass, type ButtonSize, type ButtonVariant } from './button-styles.ts'
import { Link } from './link.tsx'

export interface LinkButtonProps extends ComponentProps<'a'> {
  href: string
  variant?: ButtonVariant
  size?: ButtonSize
  /** The URL is not one of our pages: a full page load. */
  external?: boolean
}

export function LinkButton({
  variant = 'secondary',
  size = 'md',
  external = false,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  const look = buttonClass(variant, size, className)
  return external ? (
    <a {...rest} className={look}>
      {children}
    </a>
  ) : (
    <Link {...rest} className={look}>
      {children}
    </Link>
  )
}
