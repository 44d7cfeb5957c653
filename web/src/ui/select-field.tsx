import type { ReactNode } from 'react'

import { cx } from './class-names.ts'
import { Field, inputClass } from './field.tsx'

export interface Option {
  value: string
  label: string
}

export interface SelectFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  help?: ReactNode
  error?: string | undefined
  hideLabel?: boolean
  disabled?: boolean
  /** The choice is being saved: ignores other choices, and keeps the focus. */
  busy?: boolean
  className?: string
}

export function SelectField({
  label,
  value,
  onChange,
  options,
  help,
  error,
  hideLabel = false,
  disabled = false,
  busy = false,
  className,
}: SelectFieldProps) {
  return (
    <Field label={label} help={help} error={error} hideLabel={hideLabel} className={className}>
      {({ input, note }) => (
        <select
          id={input}
          value={value}
          disabled={disabled}
          aria-disabled={busy || undefined}
          aria-describedby={note}
          className={cx(inputClass, 'pr-8')}
          onChange={(event) => {
            if (!busy) onChange(event.target.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
