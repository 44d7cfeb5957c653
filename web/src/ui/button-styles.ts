import { cx } from './class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet'
export type ButtonSize = 'sm' | 'md'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:brightness-110',
  secondary: 'border-line bg-surface text-ink hover:bg-raised',
  danger: 'border-transparent bg-danger text-on-danger hover:brightness-110',
  quiet: 'border-transparent bg-transparent text-muted hover:bg-raised hover:text-ink',
}
const sizes: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1 px-2 text-sm touch:h-11 touch:px-3',
  md: 'h-8 gap-2 px-3 text-base touch:h-11 touch:px-4',
}

export const buttonClass = (variant: ButtonVariant, size: ButtonSize, extra?: string): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap transition-[background-color,color,filter] select-none',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:hover:brightness-100',
    variants[variant],
    sizes[size],
    extra,
  )
