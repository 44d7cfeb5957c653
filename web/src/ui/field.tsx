import { useId, type ReactNode } from 'react'

import { cx } from './class-names.ts'

export const inputClass =
  'h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink transition-colors hover:border-muted focus-visible:border-accent aria-invalid:border-danger disabled:opacity-60 touch:h-11 touch:text-lg'

export interface FieldIds {
  input: string
  /** For `aria-describedby`; undefined without help and error. */
  note: string | undefined
}

/** Label above, help below; an error replaces the help (design.md "Forms"). */
export function Field({
  label,
  help,
  error,
  required = false,
  hideLabel = false,
  className,
  children,
}: {
  label: string
  help?: ReactNode
  error?: string | undefined
  required?: boolean
  hideLabel?: boolean
  className?: string | undefined
  children: (ids: FieldIds) => ReactNode
}) {
  const input = useId()
  const note = error || help ? `${input}-note` : undefined
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={input} className={cx('text-sm font-medium text-ink', hideLabel && 'sr-only')}>
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      {children({ input, note })}
      {note && (
        <p
          id={note}
          data-error={error ? true : undefined}
          className={cx('text-sm', error ? 'text-danger' : 'text-muted')}
        >
          {error || help}
        </p>
      )}
    </div>
  )
}
