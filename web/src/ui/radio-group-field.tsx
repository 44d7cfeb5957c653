import { useId, type ReactNode } from 'react'

import type { Option } from './select-field.tsx'

export interface RadioGroupFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly (Option & { help?: ReactNode })[]
  disabled?: boolean
}

export function RadioGroupField({ label, value, onChange, options, disabled = false }: RadioGroupFieldProps) {
  const name = useId()
  return (
    <fieldset role="radiogroup" aria-labelledby={`${name}-label`} className="min-w-0">
      <legend id={`${name}-label`} className="mb-1 text-sm font-medium">
        {label}
      </legend>
      <div className="flex flex-col gap-2">
        {options.map((option) => (
          <label key={option.value} className="flex items-start gap-2 touch:min-h-11 touch:items-center">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={disabled}
              className="mt-0.5 size-4 shrink-0 touch:size-6"
              onChange={() => onChange(option.value)}
            />
            <span className="min-w-0">
              {option.label}
              {option.help && <span className="block text-sm text-muted">{option.help}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
